// SPDX-License-Identifier: GPL-2.0-only
// usage: node speedscope_totals.js FOLDER FILE...
// What speedscope itself reads in each file: a line of JSON, its profiles with their names, units, totals and the totals of each frame by name.
// FOLDER is the npm package speedscope 1.20: the last ones whose importer is a chunk of its own, which can be loaded without a browser.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

function loadImporter(folder) {
	const release = path.join(folder, "dist", "release");
	const chunk = name => fs.readFileSync(path.join(release, fs.readdirSync(release).find(file => file.startsWith(name) && file.endsWith(".js"))), "utf8");
	// What the chunks take from a browser before anything is imported.
	const world = { console: { log() {}, warn() {}, error() {} }, TextDecoder, Uint8Array, ArrayBuffer, setTimeout, window: {}, navigator: { userAgent: "" }, location: {},
		performance: { now: () => 0 } };
	world.self = world.window;
	vm.createContext(world);
	// The application starts at the end of its chunk: only the modules are wanted.
	const withoutStart = text => text.replace(/\},\{\},\[[^\]]*\], null\)/, "},{},[], null)");
	for (const name of ["speedscope.", "import."])
		vm.runInContext(withoutStart(chunk(name)), world);
	for (const [, id] of chunk("import.").matchAll(/"(\w{4})":\[function/g)) {
		const exported = world.parcelRequire(id);
		if (exported.importProfilesFromArrayBuffer)
			return exported;
	}
	throw new Error("the package has no importer");
}

function describe(profile) {
	const frames = {};
	profile.forEachFrame(frame => {
		frames[frame.name] = (frames[frame.name] || 0) + frame.getTotalWeight();
	});
	return { name: profile.getName(), unit: profile.getWeightUnit(), total: profile.getTotalNonIdleWeight(), weight: profile.getTotalWeight(), frames };
}

async function main(folder, files) {
	const importer = loadImporter(folder);
	for (const file of files) {
		const bytes = fs.readFileSync(file);
		const group = await importer.importProfilesFromArrayBuffer(path.basename(file),
			bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
		console.log(JSON.stringify({ file, profiles: group ? group.profiles.map(describe) : null }));
	}
}

main(process.argv[2], process.argv.slice(3)).catch(error => {
	console.error(error);
	process.exit(1);
});
