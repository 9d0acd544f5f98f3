// SPDX-License-Identifier: GPL-2.0-only
// Part of each flame graph that nettop writes: zoom by click, search, details under the pointer. Needs nothing from elsewhere.
// A box is <g class="b" data-first data-count><title>label\ndetails</title><rect/><text/></g>; first and count are in samples.
(function () {
	"use strict";
	var svg = document.documentElement;
	var width = Number(svg.getAttribute("data-width"));
	var total = Number(svg.getAttribute("data-samples"));
	var character = 7; // px, of the font's widest at this size
	var boxes = Array.prototype.map.call(document.querySelectorAll("g.b"), function (g) {
		var title = g.querySelector("title").textContent;
		return {
			g: g,
			rect: g.querySelector("rect"),
			text: g.querySelector("text"),
			title: title.replace(/\n/g, ", "),
			label: title.split("\n")[0],
			first: Number(g.getAttribute("data-first")),
			count: Number(g.getAttribute("data-count"))
		};
	});

	function fitting(label, px) {
		var room = Math.floor(px / character);
		return room < 3 ? "" : label.length <= room ? label : label.slice(0, room - 2) + "..";
	}

	// Boxes over these samples fill the width; what lies beside them is hidden.
	function zoom(first, count) {
		boxes.forEach(function (box) {
			var from = Math.max(box.first, first), to = Math.min(box.first + box.count, first + count);
			box.g.style.display = to > from ? "" : "none";
			if (to <= from)
				return;
			var x = (from - first) / count * width, w = (to - from) / count * width;
			box.rect.setAttribute("x", x);
			box.rect.setAttribute("width", w);
			box.text.setAttribute("x", x + 3);
			box.text.textContent = fitting(box.label, w - 4);
		});
		document.getElementById("reset").style.display = count === total ? "none" : "";
	}

	// Samples that have at least one of the boxes in their stack.
	function covered(found) {
		var sum = 0, end = 0;
		found.sort(function (a, b) { return a.first - b.first; });
		found.forEach(function (box) {
			var to = box.first + box.count;
			sum += Math.max(0, to - Math.max(box.first, end));
			end = Math.max(end, to);
		});
		return sum;
	}

	function matcher(words) {
		try {
			return new RegExp(words, "i");
		} catch (e) { // no regular expression: as it is written
			return new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
		}
	}

	function search(words) {
		var expression = words ? matcher(words) : null;
		var found = boxes.filter(function (box) {
			var hit = expression !== null && expression.test(box.label);
			box.g.setAttribute("class", hit ? "b hit" : "b");
			return hit;
		});
		var percent = total ? 100 * covered(found) / total : 0;
		document.getElementById("matched").textContent = words ? "'" + words + "': " + percent.toFixed(1) + " %" : "";
	}

	function ask() {
		var words = window.prompt("Mark the frames whose name contains (or matches the regular expression):", "");
		if (words !== null)
			search(words);
	}

	boxes.forEach(function (box) {
		box.g.addEventListener("click", function () { zoom(box.first, box.count); });
		box.g.addEventListener("mouseover", function () { document.getElementById("details").textContent = box.title; });
		box.g.addEventListener("mouseout", function () { document.getElementById("details").textContent = ""; });
	});
	document.getElementById("reset").addEventListener("click", function () { zoom(0, total); });
	document.getElementById("search").addEventListener("click", ask);
	window.addEventListener("keydown", function (event) {
		if (event.key === "/" || ((event.ctrlKey || event.metaKey) && event.key === "f")) {
			event.preventDefault();
			ask();
		} else if (event.key === "Escape") {
			search("");
			zoom(0, total);
		}
	});
	zoom(0, total);
})();
