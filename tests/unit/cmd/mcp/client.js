// SPDX-License-Identifier: GPL-2.0
/*
 * Asks annot mcp by the client of the protocol's own SDK, and holds the answers against the truth. Prints TAP.
 *
 * usage: node client.js ANNOT made BEFORE AFTER
 *        node client.js ANNOT many TRACE
 *        node client.js ANNOT recorded TRACE...
 *
 * BEFORE, AFTER and the TRACE of many tasks are what mcp.sh tells.
 */
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ProgressNotificationSchema } = require("@modelcontextprotocol/sdk/types.js");
const { encode } = require("gpt-tokenizer/encoding/o200k_base");

const MOST_BYTES = 4000;
const MOST_TOKENS = 2000;
const MS = 1000000;
const TOOLS = ["traces", "findings", "explain", "tasks", "slow_instances", "what_if", "compare"];

const [annot, mode, ...traces] = process.argv.slice(2);
let failed = false;
let mostPages = 0;

async function check(what, run) {
	try {
		await run();
		console.log(`ok - ${what}`);
	} catch (error) {
		console.log(String(error.stack).replace(/^/gm, "# "));
		console.log(`not ok - ${what}`);
		failed = true;
	}
}

async function connect(options, paths) {
	const client = new Client({ name: "test", version: "1" });
	await client.connect(new StdioClientTransport({
		command: annot, args: ["mcp", ...options, ...paths], stderr: "ignore",
	}));
	return client;
}

async function ask(client, name, args = {}) {
	const { content, isError } = await client.callTool({ name, arguments: args });
	assert.equal(content.length, 1);
	const { text } = content[0];
	assert.ok(Buffer.byteLength(text) <= MOST_BYTES, `${name}: ${Buffer.byteLength(text)} bytes`);
	assert.ok(encode(text).length <= MOST_TOKENS, `${name}: ${encode(text).length} tokens`);
	return { text, isError };
}

async function answer(client, name, args) {
	const { text, isError } = await ask(client, name, args);
	assert.ok(!isError, text);
	return JSON.parse(text);
}

/* The rows of all pages, and how many pages they are. */
async function allRows(client, name, key, args = {}) {
	const rows = [];
	let pages = 0;
	for (let cursor; pages === 0 || cursor !== undefined; pages++) {
		const page = await answer(client, name, cursor === undefined ? args : { ...args, cursor });
		rows.push(...page[key]);
		cursor = page.next_cursor;
		assert.ok(page[key].length > 0 || page.nr === 0, "a page has rows");
		assert.equal(cursor === undefined, rows.length === page.nr);
	}
	mostPages = Math.max(mostPages, pages);
	return { rows };
}

async function refuses(client, words, name, args) {
	const { text, isError } = await ask(client, name, args);
	assert.ok(isError, `${name} is answered: ${text}`);
	assert.ok(text.includes(words), text);
	assert.ok(!text.includes("\n"));
}

const json = (...args) => JSON.parse(execFileSync(annot, args, { maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] }));

/* An interval of evidence, with a link that shows and marks it. */
function assertEvidence(evidence, from, to, page) {
	assert.equal(evidence.from_ns, from);
	assert.equal(evidence.to_ns, to);
	const [, address, start, end, first, last] = /^(.*)#t=(\d+)-(\d+)&r=(\d+)-(\d+)$/.exec(evidence.page);
	assert.equal(address, page);
	assert.deepEqual([Number(first), Number(last)], [from, to]);
	assert.ok(Number(start) <= from && Number(end) >= to, evidence.page);
}

const near = (told, truth, share) => assert.ok(Math.abs(told - truth) <= share * truth, `${told}, not ${truth}`);

async function protocol(client) {
	assert.equal(client.getServerVersion().name, "annot");
	await client.ping();
	const { tools } = await client.listTools();
	assert.deepEqual(tools.map((tool) => tool.name), TOOLS);
	for (const { name, inputSchema, annotations, description } of tools) {
		assert.ok(description && annotations.readOnlyHint, name);
		assert.equal(inputSchema.additionalProperties, false);
		for (const argument of Object.values(inputSchema.properties))
			assert.ok(argument.description);
	}
}

async function tasks(client) {
	const { rows } = await allRows(client, "tasks", "tasks");
	assert.deepEqual(rows.map((row) => row.name), ["step"]);
	const [{ kind, instances, threads, wall_ns, on_cpu_ns, blocked_ns, longest }] = rows;
	assert.deepEqual({ kind, instances, threads }, { kind: "work", instances: 10, threads: 1 });
	assert.deepEqual(wall_ns, { sum: 12 * MS, min: MS, median: MS, max: 3 * MS });
	assert.deepEqual({ on_cpu_ns, blocked_ns }, { on_cpu_ns: 10 * MS, blocked_ns: 2 * MS });
	assert.deepEqual([longest.tid, longest.comm, longest.from, longest.length], [100, "main", "25.0 ms", "3.00 ms"]);
	assertEvidence(longest, 25 * MS, 28 * MS, "page.html");
}

async function slowInstances(client) {
	const slowest = await answer(client, "slow_instances", { task: "step" });
	assert.equal(slowest.typical_ns, MS);
	assert.equal(slowest.nr, 1);
	const [{ instance, evidence }] = slowest.instances;
	assert.deepEqual([instance.wall_ns, instance.extra_ns, instance.most], [3 * MS, 2 * MS, "blocked"]);
	assert.deepEqual([instance.blocked_ns, instance.useful_ns, instance.preempted_ns], [2 * MS, 0, 0]);
	assertEvidence(evidence, 25 * MS, 28 * MS, "page.html");
	/* The same by its time; another that is not slow has no more of anything. */
	const again = await answer(client, "slow_instances", { task: "step", at_ns: 26 * MS, tid: 100 });
	assert.deepEqual(again, slowest);
	const usual = await answer(client, "slow_instances", { task: "step", at_ns: 1.5 * MS });
	assert.deepEqual([usual.instances[0].instance.extra_ns, usual.instances[0].instance.most], [0, null]);
	assertEvidence(usual.instances[0].evidence, MS, 2 * MS, "page.html");
	await refuses(client, "no instance of the task is at that time", "slow_instances", { task: "step", at_ns: 3 * MS });
	await refuses(client, "no thread 7 has", "slow_instances", { task: "step", at_ns: MS, tid: 7 });
	await refuses(client, "'at_ns' needs 'task'", "slow_instances", { at_ns: MS });
}

/* Half of the 10 ms of work is saved, of 43 ms; the share of the work is its gain. */
async function whatIf(client) {
	const faster = await answer(client, "what_if", { faster: ["step=2"] });
	assert.equal(faster.recorded_ns, 43 * MS);
	near(faster.predicted_ns, 38 * MS, 0.005);
	assert.ok(faster.predicted_least_ns <= faster.predicted_ns && faster.predicted_ns <= faster.predicted_most_ns);
	assert.deepEqual(faster.tasks.map((task) => task.name), ["step"]);
	const { rows } = await allRows(client, "what_if", "trials");
	assert.ok(rows.some((row) => row.change === "cpus"));
	await refuses(client, "has no task 'stpe'; did you mean 'step'?", "what_if", { faster: ["stpe=2"] });
	await refuses(client, "not TASK=FACTOR", "what_if", { faster: ["step"] });
	await refuses(client, "either 'pin' or 'unpin'", "what_if", { pin: true, unpin: true });
	await refuses(client, "not a number of CPUs from 1 to 4096", "what_if", { cpus: 5000 });
	await refuses(client, "all threads of the session are of the program 'main'", "what_if", { without: "main" });
}

/* Each instance takes 1 ms more afterwards, all of it on the CPU. */
async function compared(client) {
	const { verdict, before, after } = await answer(client, "compare");
	assert.deepEqual([before, after], [1, 2]);
	assert.match(verdict, /step takes 100 % more time/);
	const { rows } = await allRows(client, "compare", "rows");
	const { task, why, longest_before, longest_after } = rows.find((row) => row.task);
	assert.deepEqual([task.wall.before.median_ns, task.wall.after.median_ns, task.wall.change], [MS, 2 * MS, 1]);
	assert.equal(why, "+1.00ms on a CPU");
	const lines = rows.filter((row) => row.critical_path).map((row) => row.critical_path);
	assert.deepEqual(lines.map(({ task, state, before_ns, after_ns }) => [task, state, after_ns - before_ns]),
		[[null, "running", -10 * MS], ["step", "running", 10 * MS]]);
	assertEvidence(longest_before, 25 * MS, 28 * MS, "page.html");
	assertEvidence(longest_after, 25 * MS, 29 * MS, "");
	const swapped = await answer(client, "compare", { before: 2, after: 1 });
	assert.match(swapped.verdict, /step takes 50 % less time/);
	await refuses(client, "there is no trace 3", "compare", { after: 3 });
}

async function wrongQuestions(client) {
	await assert.rejects(client.callTool({ name: "record", arguments: {} }), { code: -32602 });
	await assert.rejects(client.callTool({ name: "tasks", arguments: [] }));
	await assert.rejects(client.listTools({ cursor: "1" }), { code: -32602 });
	await assert.rejects(client.listPrompts());
	await refuses(client, "no such argument: 'file'", "tasks", { file: "/etc/passwd" });
	await refuses(client, "'trace' is not of type integer", "tasks", { trace: "/etc/passwd" });
	await refuses(client, "'trace' is not of type integer", "tasks", { trace: -1 });
	await refuses(client, "there is no trace 0", "tasks", { trace: 0 });
	await refuses(client, "'pin' is not of type boolean", "what_if", { pin: 1 });
	await refuses(client, "'faster' is not of type array", "what_if", { faster: "step=2" });
	await refuses(client, "there is no task 'x'", "tasks", { task: "x" });
	await refuses(client, "no such finding: 'x'", "explain", { kind: "x" });
	for (const cursor of ["1", "-1", "x", "", "99999999999999999999"])
		await refuses(client, "the cursor is none", "tasks", { cursor });
	await refuses(client, "no task 'xxxx", "tasks", { task: "x".repeat(100000) });
}

/* What is told while a call takes long, in order: [how much, of what]. */
async function toldOf(client, name, args) {
	const told = [];
	/* The client's own one is gone when the answer is there, even if what came before that still waits for it. */
	client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => {
		assert.equal(params.progressToken, "mine");
		told.push([params.progress, params.message, params.total]);
	});
	await client.callTool({ name, arguments: args, _meta: { progressToken: "mine" } });
	await new Promise(setImmediate);
	return told;
}

/* Of a client that has asked nothing so far: each step is told when it begins. */
async function tellsProgress(client) {
	assert.deepEqual(await toldOf(client, "compare", {}), [
		[0, "reading trace 1", undefined], [1, "analysing trace 1", undefined],
		[2, "reading trace 2", undefined], [3, "analysing trace 2", undefined],
	]);
	assert.deepEqual(await toldOf(client, "tasks", {}), []);
	assert.deepEqual(await toldOf(client, "what_if", {}),
		[[0, "replaying trace 1", undefined], [1, "replaying it with changes", undefined]]);
	assert.deepEqual(await toldOf(client, "what_if", { trace: 3 }), []);
}

async function made(before, after) {
	const client = await connect(["--page", "page.html"], [before, after]);
	await check("progress is told to who asks for it", () => tellsProgress(client));
	await check("client of the SDK: the protocol, and the list of tools", () => protocol(client));
	await check("tasks are the truth", () => tasks(client));
	await check("slow instances are the truth", () => slowInstances(client));
	await check("what-if is the truth", () => whatIf(client));
	await check("compare is the truth", () => compared(client));
	await check("what is wrong with questions is told", () => wrongQuestions(client));
	await check("traces are listed", async () => {
		const { rows } = await allRows(client, "traces", "traces");
		assert.deepEqual(rows.map((row) => [row.trace, row.file]), [[1, before], [2, after]]);
	});
	await client.close();
}

/* Tasks of many names, awkward ones, and of one that has no room. */
async function many(path) {
	const client = await connect([], [path]);
	await check("of many tasks none is left out, but one whose name is too long", async () => {
		const { rows } = await allRows(client, "tasks", "tasks");
		const names = json("report", "--json", path).tasks.map((task) => task.name.length > 1000 ? null : task.name);
		assert.equal(rows.length, 302);
		assert.deepEqual(rows.map((row) => row.too_long ? null : row.name), names);
		assert.ok(mostPages > 50, `${mostPages} pages`);
		assert.equal(rows.filter((row) => row.too_long).length, 1);
	});
	await check("of awkward names, too", async () => {
		const { rows } = await allRows(client, "tasks", "tasks", { task: 'a "b" <c>\\' });
		assert.deepEqual(rows.map((row) => row.instances), [1]);
		for (const [name, key, args] of [["slow_instances", "instances"], ["what_if", "trials"], ["compare", "rows", { after: 1 }],
			["findings", "findings"]])
			await allRows(client, name, key, args);
	});
	await client.close();
}

/* What the report says, row by row. */
async function findingsOf(client, report) {
	const { rows } = await allRows(client, "findings", "findings");
	assert.equal(rows.length, report.findings.length);
	rows.forEach(({ evidence, ...finding }, i) => {
		const { evidence: wanted, ...rest } = report.findings[i];
		assert.deepEqual(finding, rest);
		assertEvidence(evidence, wanted.from_ns, wanted.to_ns, "");
		assert.equal(evidence.nr_threads, wanted.tids.length);
		assert.deepEqual(evidence.tids, wanted.tids.slice(0, 8));
		assert.deepEqual(evidence.cpus, wanted.cpus.slice(0, 8));
	});
}

async function tasksOf(client, report) {
	const { rows } = await allRows(client, "tasks", "tasks");
	assert.equal(rows.length, report.tasks.length);
	rows.forEach(({ longest, ...task }, i) => {
		for (const [key, value] of Object.entries(task))
			assert.deepEqual(value, report.tasks[i][key], `${task.name}: ${key}`);
		assert.equal(longest.to_ns - longest.from_ns, task.wall_ns.max);
	});
}

async function slowInstancesOf(client, report) {
	const { rows } = await allRows(client, "slow_instances", "instances");
	assert.deepEqual(rows.map((row) => row.instance), report.slow_instances.instances);
	for (const { instance } of rows) {
		const { instances } = await answer(client, "slow_instances",
			{ task: instance.task, at_ns: instance.from_ns, tid: instance.tid });
		assert.deepEqual(instances.map((row) => row.instance), [instance]);
	}
}

async function whatIfOf(client, path) {
	const { trials = [], tasks: gains, recorded_ns, no_answer } = json("what-if", "--json", "--try-all", path);
	const told = await answer(client, "what_if");
	assert.deepEqual([told.recorded_ns, told.no_answer], [recorded_ns, no_answer]);
	assert.deepEqual((await allRows(client, "what_if", "trials")).rows, trials);
	assert.equal(no_answer !== undefined, path.endsWith("lost-6.12.dat"), "sched_waking was not recorded");
	if (no_answer)
		return;
	const { rows } = await allRows(client, "what_if", "tasks", { pin: true });
	assert.equal(rows.length, json("what-if", "--json", "--pin", path).tasks.length);
	assert.ok(gains);
}

async function comparedWithItself(client, path) {
	const wanted = json("diff", "--json", path, path);
	const { rows } = await allRows(client, "compare", "rows", { after: 1 });
	assert.deepEqual(rows.filter((row) => row.task).map((row) => row.task), wanted.tasks);
	assert.deepEqual(rows.filter((row) => row.finding).map((row) => row.finding), wanted.findings);
}

async function explained(client, path) {
	const { rows } = await allRows(client, "explain", "kinds");
	const { catalogue } = json("report", "--json", path);
	for (const { kind, title } of rows) {
		const page = await answer(client, "explain", { kind });
		assert.equal(page.title, title);
		assert.equal(page.next_cursor, undefined, `${kind} has room on one page`);
		if (catalogue[kind]) {
			const { title: of, what, definition, how_to_see, cures } = page;
			assert.deepEqual({ title: of, what, definition, how_to_see, cures }, catalogue[kind]);
		}
	}
}

async function recorded(path) {
	const client = await connect([], [path]);
	const report = json("report", "--json", path);
	const name = path.replace(/.*\//, "");
	await check(`${name}: findings are those of the report`, () => findingsOf(client, report));
	await check(`${name}: tasks are those of the report`, () => tasksOf(client, report));
	await check(`${name}: slow instances are those of the report`, () => slowInstancesOf(client, report));
	await check(`${name}: what-if is that of the command`, () => whatIfOf(client, path));
	await check(`${name}: compare is annot diff`, () => comparedWithItself(client, path));
	await check(`${name}: explain is the catalogue`, () => explained(client, path));
	await client.close();
}

async function main() {
	if (mode === "made") {
		await made(...traces);
	} else if (mode === "many") {
		await many(...traces);
	} else {
		for (const path of traces)
			await recorded(path);
		await check("there were answers of several pages", () => assert.ok(mostPages > 1, `${mostPages} pages`));
	}
	process.exitCode = failed ? 1 : 0;
}

main();
