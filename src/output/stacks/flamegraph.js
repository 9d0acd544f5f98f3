// SPDX-License-Identifier: GPL-2.0-only
// Part of each flame graph that nettop writes: open what is folded, zoom, search, details under the pointer. Needs nothing from elsewhere.
// A box is <g class="b" data-first data-count data-up><title>label\ndetails</title><rect/><text/></g>, after the box that called it, whose number is `up`; first and
// count are in samples. Those that are folded into their callers have data-folded.
(function () {
	"use strict";
	var script = document.currentScript; // of a page that has the graph in it
	var svg = script && script.closest("svg") || document.documentElement;
	var total = Number(svg.getAttribute("data-samples"));
	var head = Number(svg.getAttribute("data-head"));
	var height = Number(svg.getAttribute("data-row"));
	var character = Number(svg.getAttribute("data-character")); // its width, px
	var view = { first: 0, count: total };
	var boxes = [];
	Array.prototype.forEach.call(document.querySelectorAll("g.b"), function (g) {
		var title = g.querySelector("title").textContent;
		boxes.push({
			g: g,
			rect: g.querySelector("rect"),
			text: g.querySelector("text"),
			title: title.replace(/\n/g, ", "),
			label: title.split("\n")[0],
			first: Number(g.getAttribute("data-first")),
			count: Number(g.getAttribute("data-count")),
			caller: boxes[Number(g.getAttribute("data-up"))] || null,
			folded: g.hasAttribute("data-folded"),
			folds: 0, // frames that are folded into it, at most one behind the other
			open: false,
			row: 0
		});
	});
	for (var i = boxes.length - 1; i > 0; i--)
		if (boxes[i].folded)
			boxes[i].caller.folds = Math.max(boxes[i].caller.folds, boxes[i].folds + 1);

	// The box that a folded one is part of opens all of them.
	function isHidden(box) {
		return box.folded && !holder(box).open;
	}

	function holder(box) {
		while (box.folded)
			box = box.caller;
		return box;
	}

	function caption(box) {
		return box.folds && !box.folded && !box.open ? "[+" + box.folds + "] " + box.label : box.label;
	}

	function fitting(label, px) {
		var room = Math.floor(px / character);
		return room < 3 ? "" : label.length <= room ? label : label.slice(0, room - 2) + "..";
	}

	function percent(samples) {
		return 100 * samples / view.count + "%";
	}

	// The boxes over the samples in view fill the window; what lies beside them, or is folded, is hidden.
	function draw() {
		var width = svg.clientWidth || window.innerWidth, last = 0, changed = view.count !== total;
		boxes.forEach(function (box) {
			var hidden = isHidden(box);
			var from = Math.max(box.first, view.first), to = Math.min(box.first + box.count, view.first + view.count);
			var shown = !hidden && to > from;
			box.row = box.caller ? box.caller.row + (hidden ? 0 : 1) : 0;
			box.g.style.display = shown ? "" : "none";
			changed = changed || box.open;
			if (!shown)
				return;
			last = Math.max(last, box.row);
			box.rect.setAttribute("x", percent(from - view.first));
			box.rect.setAttribute("width", percent(to - from));
			box.rect.setAttribute("y", head + box.row * height);
			box.text.setAttribute("x", percent(from - view.first));
			box.text.setAttribute("y", head + box.row * height + height - 4);
			box.text.textContent = fitting(caption(box), (to - from) / view.count * width - 4);
		});
		svg.setAttribute("height", head + (last + 2) * height);
		document.getElementById("reset").style.display = changed ? "" : "none";
	}

	function zoom(first, count) {
		view = { first: first, count: count };
		draw();
	}

	function openAll(open) {
		boxes.forEach(function (box) { box.open = open && box.folds > 0 && !box.folded; });
	}

	function click(box) {
		var top = holder(box);
		if (top.folds && !top.open) {
			top.open = true;
			draw();
		} else {
			zoom(box.first, box.count);
		}
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
		found.forEach(function (box) { // what is folded is found where it is
			if (isHidden(box))
				holder(box).g.setAttribute("class", "b hit");
		});
		var percent = total ? 100 * covered(found) / total : 0;
		document.getElementById("matched").textContent = words ? "'" + words + "': " + percent.toFixed(1) + " %" : "";
	}

	function ask() {
		var words = window.prompt("Mark the frames whose name contains (or matches the regular expression):", "");
		if (words !== null)
			search(words);
	}

	function reset() {
		openAll(false);
		zoom(0, total);
	}

	boxes.forEach(function (box) {
		box.g.addEventListener("click", function () { click(box); });
		box.g.addEventListener("mouseover", function () { document.getElementById("details").textContent = box.title; });
		box.g.addEventListener("mouseout", function () { document.getElementById("details").textContent = ""; });
	});
	document.getElementById("reset").addEventListener("click", reset);
	document.getElementById("search").addEventListener("click", ask);
	document.getElementById("unfold").addEventListener("click", function () {
		openAll(true);
		draw();
	});
	window.addEventListener("resize", draw);
	window.addEventListener("keydown", function (event) {
		// Searching a whole page is its own matter.
		if (event.key === "/" || ((event.ctrlKey || event.metaKey) && event.key === "f" && svg === document.documentElement)) {
			event.preventDefault();
			ask();
		} else if (event.key === "Escape") {
			search("");
			reset();
		}
	});
	draw();
})();
