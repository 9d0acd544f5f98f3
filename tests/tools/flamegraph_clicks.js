// SPDX-License-Identifier: GPL-2.0-only
// usage: node flamegraph_clicks.js NODE_MODULES FILE.svg LABEL WORDS
// Clicks, types and searches in a flame graph of nettop's, in jsdom, and says what was to be seen, as one object of JSON: at first; after each click on the box LABEL, until it
// fills the window; what a search for WORDS says; after Esc; with everything unfolded; in a window of another width.
"use strict";
const fs = require("fs");
const path = require("path");
const { JSDOM } = require(path.join(process.argv[2], "jsdom"));

const { window } = new JSDOM(fs.readFileSync(process.argv[3]), { contentType: "image/svg+xml", runScripts: "outside-only" });
const { document } = window;
const boxes = [...document.querySelectorAll("g.b")];

function look() {
	const shown = boxes.filter(box => box.style.display !== "none");
	const y = shown.map(box => Number(box.querySelector("rect").getAttribute("y")));
	return {
		shown: shown.length,
		rows: new Set(y).size,
		widths: shown.map(box => Number.parseFloat(box.querySelector("rect").getAttribute("width")).toFixed(1)).join(" "),
		captions: shown.map(box => box.querySelector("text").textContent),
		highest: shown[y.indexOf(Math.min(...y))].querySelector("title").textContent.split("\n")[0]
	};
}

const unscripted = look();
window.innerWidth = 1200;
window.eval(document.querySelector("script").textContent); // jsdom runs no scripts of SVG by itself
const start = look();
const box = boxes.find(each => each.querySelector("title").textContent.startsWith(process.argv[4]) && each.style.display !== "none");
const clicks = [];
while (box.querySelector("rect").getAttribute("width") !== "100%" && clicks.length < 3) {
	box.dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
	clicks.push(look());
}
window.prompt = () => process.argv[5];
window.dispatchEvent(new window.KeyboardEvent("keydown", { key: "/" }));
const matched = document.getElementById("matched").textContent;
window.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }));
const reset = look();
document.getElementById("unfold").dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
const unfolded = look();
window.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }));
window.innerWidth = 300;
window.dispatchEvent(new window.Event("resize"));
const narrow = look();
console.log(JSON.stringify({ boxes: boxes.length, unscripted, start, clicks, matched, reset, unfolded, narrow }));
