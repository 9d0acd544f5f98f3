// SPDX-License-Identifier: GPL-2.0-only
// usage: node flamegraph_clicks.js NODE_MODULES FILE.svg
// Clicks, types and searches in a flame graph of nettop's, in jsdom, and says what was to be seen, as one object of JSON.
"use strict";
const fs = require("fs");
const path = require("path");
const { JSDOM } = require(path.join(process.argv[2], "jsdom"));

const { window } = new JSDOM(fs.readFileSync(process.argv[3]), { contentType: "image/svg+xml", runScripts: "outside-only" });
const { document } = window;
window.eval(document.querySelector("script").textContent); // jsdom runs no scripts of SVG by itself
const boxes = [...document.querySelectorAll("g.b")];

function look() {
	const shown = boxes.filter(box => box.style.display !== "none");
	return { shown: shown.length, widths: shown.map(box => Number(box.querySelector("rect").getAttribute("width")).toFixed(1)).join(" ") };
}

const start = look();
const method = boxes.find(box => box.querySelector("title").textContent.startsWith("Shop.Cart.Total(ref Cart) [tier1]"));
method.dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
const zoomed = { shown: look().shown, width: Number(method.querySelector("rect").getAttribute("width")) };
window.prompt = () => "total.*tier1";
window.dispatchEvent(new window.KeyboardEvent("keydown", { key: "/" }));
const matched = document.getElementById("matched").textContent;
window.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }));
console.log(JSON.stringify({ boxes: boxes.length, start, zoomed, matched, reset: look() }));
