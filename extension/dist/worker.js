var WITHHELD = -32090;
var INTERRUPTED = -32091;
var Refusal = class extends Error {
	constructor(message, code = -32e3) {
		super(message);
		this.code = code;
	}
};
function withheld(message) {
	return new Refusal(message, WITHHELD);
}
function errorOf(error) {
	const message = String(error?.message ?? error);
	if (error instanceof Refusal) return { code: error.code, message };
	if (/^Detached while/.test(message)) return { code: INTERRUPTED, message };
	if (/^Cannot access|gallery/.test(message)) return { code: WITHHELD, message: `Chrome lets no extension use this page: ${message}` };
	try {
		return { code: -32e3, ...JSON.parse(message) };
	} catch {
		return { code: -32e3, message };
	}
}
var ACTIONS = {
	"Page.navigate": "opened a page",
	"Page.reload": "reloaded the page",
	"Page.captureScreenshot": "took a screenshot",
	"Input.dispatchMouseEvent": "clicked",
	"Input.dispatchKeyEvent": "typed",
	"Input.insertText": "typed",
	"Target.createTarget": "opened a tab",
	"Target.closeTarget": "closed a tab"
};
function actionOf(method, params) {
	return /mouse(Moved|Released)/.test(params?.type) ? void 0 : ACTIONS[method];
}
var STORAGE = /^(Storage|DOMStorage|IndexedDB|CacheStorage)\.|^Network\.\w*Cookie/;
var IN_PAGE_STORAGE = /^(storage|databases)(Read|Write|Remove)$/;
function touchesStorage(method, params) {
	return STORAGE.test(method) || IN_PAGE_STORAGE.test(params?.arguments?.[0]?.value);
}
var COOKIES = /cookie|headersText$/i;
function withoutCookies(params) {
	return JSON.parse(JSON.stringify(params), (key, value) => {
		if (COOKIES.test(key)) return void 0;
		return Array.isArray(value) ? value.filter((header) => !COOKIES.test(header?.name)) : value;
	});
}
var SETUP = /\.enable$|^(Emulation|Network|Fetch|Page)\.set(?!DocumentContent|Cookie)|^Target\.setAutoAttach$/;
var ADDS = /^Runtime\.addBinding$|^Page\.addScriptToEvaluateOnNewDocument$/;
function noteSetup(setup, method, params) {
	const undone = method.replace(/\.disable$/, ".enable").replace("Emulation.clear", "Emulation.set");
	if (undone !== method) return delete setup[undone];
	const adds = ADDS.test(method);
	if (!adds && !SETUP.test(method)) return false;
	setup[adds ? method + JSON.stringify(params) : method] = [method, params];
	return true;
}
function quietly(work) {
	return work.catch(() => void 0);
}
async function entries() {
	try {
		const answer2 = await fetch(chrome.runtime.getURL("server.json"), { cache: "no-store" });
		return await answer2.json();
	} catch {
		return [];
	}
}
function nonce() {
	return crypto.getRandomValues(new Uint8Array(32)).toHex();
}
async function proof(token, side, first, second) {
	const bytes = new TextEncoder();
	const algorithm = { name: "HMAC", hash: "SHA-256" };
	const key = await crypto.subtle.importKey("raw", bytes.encode(token), algorithm, false, ["sign"]);
	return new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(`${side} ${first} ${second}`))).toHex();
}
var grants = new Map();
var setups = new Map();
var instance = "";
var restored = restore();
async function restore() {
	const kept = await chrome.storage.session.get(null);
	instance = kept.instance ?? crypto.randomUUID();
	if (!kept.instance) await chrome.storage.session.set({ instance });
	for (const grant of kept.grants ?? []) grants.set(grant.server, grant);
	for (const key in kept) if (Number(key)) setups.set(Number(key), kept[key]);
}
function saveGrants() {
	chrome.storage.session.set({ grants: [...grants.values()] });
}
var unsaved = new Set();
function saveSetup(tab) {
	if (unsaved.size === 0) setTimeout(writeSetups, 50);
	unsaved.add(tab);
}
function writeSetups() {
	for (const tab of unsaved) {
		const setup = setups.get(tab);
		if (setup) chrome.storage.session.set({ [tab]: setup });
		else chrome.storage.session.remove(`${tab}`);
	}
	unsaved.clear();
}
function grantFor(server, client, live) {
	const orphan = [...grants.values()].find((it) => it.client === client && !live.has(it.server));
	const fresh = { server, client, groups: [], loose: [], mode: "on", storage: false, lastAction: "", attached: false };
	const grant = grants.get(server) ?? Object.assign(orphan ?? fresh, { storage: false });
	grants.delete(grant.server);
	grant.server = server;
	grants.set(server, grant);
	saveGrants();
	return grant;
}
async function removeForeignFrames(tabId) {
	await quietly(chrome.scripting.executeScript({ target: { tabId, allFrames: true }, func: removeThem }));
}
function removeThem() {
	const visit = (root) => {
		for (const el of root.querySelectorAll("*")) {
			if (el instanceof HTMLIFrameElement && /^chrome-extension:/i.test(el.src)) el.remove();
			const inner = el instanceof HTMLElement ? chrome.dom.openOrClosedShadowRoot(el) : null;
			if (inner) visit(inner);
		}
	};
	visit(document);
}
var RETRIES = [0, 50, 150, 500, 1500];
var DRAWN = 5e3;
var THROWN_OUT = /different extension|Detached|not attached/;
var Tab = class {
	constructor(id, grant, send2) {
		this.id = id;
		this.grant = grant;
		this.send = send2;
		this.targetId = "";
		this.told = false;
		this.filmed = false;
		this.loader = "";
		this.sessionId = `${id}`;
	}
	async introduce(openerId) {
		const { targetInfo } = await this.attached(() => this.raw("Target.getTargetInfo"));
		this.targetId = targetInfo.targetId;
		if (this.told) return;
		this.told = true;
		this.send({
			method: "Target.attachedToTarget",
			params: { sessionId: this.sessionId, targetInfo: this.described(targetInfo, openerId), waitingForDebugger: false }
		});
	}
	described(targetInfo, openerId) {
		return { ...targetInfo, openerId, type: "page", attached: true, browserContextId: "default" };
	}
	async command(method, params, child) {
		if (!child) this.note(method, params);
		if (this.recovery) await this.recovery;
		if (/^Page\.st(art|op)Screencast$/.test(method)) {
			this.dim();
			this.filmed = method === "Page.startScreencast";
		} else this.draw();
		try {
			return await this.raw(method, params, child);
		} catch (error) {
			if (child || !/not attached|different extension/.test(String(error)) || this.grant.mode === "stopped") throw error;
			await this.recover();
			return this.raw(method, params);
		}
	}
	draw() {
		if (this.filmed) return;
		if (!this.drawn) quietly(this.raw("Page.startScreencast", { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16 }));
		clearTimeout(this.drawn);
		this.drawn = setTimeout(() => this.dim(), DRAWN);
	}
	dim() {
		if (this.drawn) quietly(this.raw("Page.stopScreencast"));
		clearTimeout(this.drawn);
		this.drawn = void 0;
	}
	raw(method, params, sessionId) {
		return chrome.debugger.sendCommand({ tabId: this.id, sessionId }, method, params);
	}
	forward(child, method, params) {
		if (method === "Page.screencastFrame" && !this.filmed) return;
		if (!this.grant.storage && /^(Network|Fetch)\./.test(method)) params = withoutCookies(params);
		if (/^Target\.(at|de)tached/.test(method)) params = { ...params, sessionId: `${this.id}:${params.sessionId}` };
		if (method === "Page.frameNavigated" && !child && !params.frame.parentId) this.loader = params.frame.loaderId;
		this.send({ method, params, sessionId: child ? `${this.id}:${child}` : this.sessionId });
	}
	recover() {
		this.recovery ??= this.detach().then(() => this.attached(() => this.setUpAgain())).finally(() => this.recovery = void 0);
		return this.recovery;
	}
	async detach() {
		this.dim();
		await quietly(chrome.debugger.detach({ tabId: this.id }));
	}
	gone() {
		const { sessionId, targetId } = this;
		if (this.told) this.send({ method: "Target.detachedFromTarget", params: { sessionId, targetId } });
		setups.delete(this.id);
		saveSetup(this.id);
	}
	async attached(work) {
		let last;
		for (const wait of RETRIES) {
			await pause(wait);
			try {
				await this.attach();
				return await work();
			} catch (error) {
				last = error;
				if (THROWN_OUT.test(String(error))) {
					await removeForeignFrames(this.id);
					await this.detach();
				} else if (/Cannot access|gallery|No tab|stopped/.test(String(error))) break;
			}
		}
		throw last;
	}
	async attach() {
		if ((await chrome.tabs.get(this.id)).discarded) {
			await chrome.tabs.reload(this.id);
			await until(this.id, (tab) => !tab.discarded);
		}
		if (this.grant.mode === "stopped") throw new Refusal("stopped");
		await chrome.debugger.attach({ tabId: this.id }, "1.3").catch((error) => {
			if (!/already attached/.test(error.message)) throw error;
		});
	}
	async setUpAgain() {
		const { frameTree } = await this.raw("Page.getFrameTree");
		this.forward(void 0, "Runtime.executionContextsCleared", {});
		if (frameTree.frame.loaderId !== this.loader) this.tellFrames(frameTree);
		const setup = Object.values(setups.get(this.id) ?? {});
		await Promise.all(setup.map(([method, params]) => this.raw(method, params).catch((error) => {
			if (THROWN_OUT.test(String(error))) throw error;
		})));
	}
	tellFrames({ frame, childFrames = [] }) {
		if (frame.parentId) this.forward(void 0, "Page.frameAttached", { frameId: frame.id, parentFrameId: frame.parentId });
		this.forward(void 0, "Page.frameNavigated", { frame, type: "Navigation" });
		for (const child of childFrames) this.tellFrames(child);
	}
	note(method, params) {
		const setup = setups.get(this.id) ?? {};
		if (!noteSetup(setup, method, params)) return;
		setups.set(this.id, setup);
		saveSetup(this.id);
	}
};
async function until(id, is) {
	for (let left = 100; left > 0 && !is(await chrome.tabs.get(id)); left--) await pause(50);
}
function pause(milliseconds) {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
async function navigate(tab, params) {
	try {
		return await tab.command("Page.navigate", params);
	} catch (error) {
		if (!/Cannot access|gallery|not attached/.test(String(error)) || tab.grant.mode === "stopped") throw error;
		await chrome.tabs.update(tab.id, { url: "about:blank" });
		await until(tab.id, ({ url }) => url === "about:blank");
		await tab.recover();
		return tab.command("Page.navigate", params);
	}
}
var COLORS = "blue green purple orange pink cyan red yellow".split(" ");
var tabs = new Map();
var send;
var listening = new Set();
function isOf(tab, grant) {
	return grant.groups.includes(tab.groupId) || grant.loose.includes(tab.id);
}
function grantOf(tab) {
	return [...grants.values()].find((grant) => isOf(tab, grant));
}
async function reach(grant) {
	return (await chrome.tabs.query({})).filter((tab) => isOf(tab, grant));
}
async function listen(grant) {
	listening.add(grant.server);
	grant.attached = true;
	saveGrants();
	await Promise.all((await reach(grant)).map((tab) => quietly(take(tab, grant))));
}
async function goOn(grant, wasStopped) {
	if (wasStopped) await Promise.all(of(grant).map((tab) => quietly(tab.recover().then(() => tab.introduce()))));
	if (listening.has(grant.server)) await listen(grant);
}
async function resume(grant) {
	for (const tab of await reach(grant)) {
		if (tabs.has(tab.id) || !setups.has(tab.id)) continue;
		const resumed = known(tab, grant);
		resumed.told = true;
		if (grant.mode !== "stopped") await quietly(resumed.introduce());
	}
	await listen(grant);
}
async function release(grant) {
	listening.delete(grant.server);
	grant.attached = false;
	saveGrants();
	for (const { id: tabId } of await reach(grant)) {
		tabs.delete(tabId);
		await quietly(chrome.debugger.detach({ tabId }));
	}
}
function of(grant) {
	return [...tabs.values()].filter((tab) => tab.grant === grant);
}
function known({ id }, grant) {
	const tab = new Tab(id, grant, (message) => send(grant.server, message));
	tabs.set(id, tab);
	return tab;
}
async function take(tab, grant) {
	if (grant.mode !== "on") throw new Refusal(grant.mode);
	const taken = tabs.get(tab.id) ?? known(tab, grant);
	if (!taken.told) await taken.introduce(tabs.get(tab.openerTabId ?? -1)?.targetId);
	return taken;
}
async function open(grant, url, newWindow) {
	const windowId = newWindow ? void 0 : await home(grant);
	const tab = windowId === void 0 ? (await chrome.windows.create({ url, focused: false })).tabs[0] : await chrome.tabs.create({ url, active: false, windowId });
	await group(tab, grant);
	await until(tab.id, ({ status }) => status === "complete");
	return take(tab, grant);
}
async function groupsOf(grant) {
	return (await chrome.tabGroups.query({})).filter(({ id }) => grant.groups.includes(id));
}
async function home(grant) {
	const [first] = await groupsOf(grant);
	return first?.windowId ?? (await quietly(chrome.windows.getLastFocused({ windowTypes: ["normal"] })))?.id;
}
async function group(tab, grant) {
	const { id: tabIds, windowId } = tab;
	const there = (await groupsOf(grant)).find((it) => it.windowId === windowId);
	try {
		if (there) return void await chrome.tabs.group({ tabIds, groupId: there.id });
		grant.groups.push(await chrome.tabs.group({ tabIds, createProperties: { windowId } }));
		await dress(grant);
	} catch {
		grant.loose.push(tabIds);
	}
	saveGrants();
}
async function share(tab, grant) {
	const { id } = tab;
	if (!isOf(tab, grant)) return group(tab, grant);
	grant.loose = grant.loose.filter((loose) => loose !== id);
	await quietly(chrome.tabs.ungroup(id));
	await drop(id);
}
async function dress(grant) {
	const color = COLORS[grant.client.length % COLORS.length];
	for (const { id } of await groupsOf(grant)) await quietly(chrome.tabGroups.update(id, { title: grant.client, color }));
}
async function drop(id) {
	const tab = tabs.get(id);
	if (!tab) return;
	tabs.delete(id);
	tab.gone();
	await tab.detach();
}
function watch(deliver) {
	send = deliver;
	chrome.tabs.onCreated.addListener(created);
	chrome.tabs.onUpdated.addListener(updated);
	chrome.tabs.onRemoved.addListener(drop);
	chrome.tabs.onReplaced.addListener((added, removed) => drop(removed).then(() => arrived(added)));
}
async function created(tab) {
	const opener = tabs.get(tab.openerTabId ?? -1);
	if (!opener || opener.grant.mode === "stopped" || /:\/\/new-?tab/.test(tab.pendingUrl ?? tab.url ?? "")) return;
	if (!grantOf(tab)) await group(tab, opener.grant);
	await quietly(take(tab, opener.grant));
}
async function updated(id, { groupId, url }, tab) {
	const known2 = tabs.get(id);
	if (groupId !== void 0 && known2 && !grantOf(tab)) return drop(id);
	if ((groupId ?? url) !== void 0 && !known2?.told) await arrived(id);
}
async function arrived(id) {
	const tab = await quietly(chrome.tabs.get(id));
	const grant = tab && grantOf(tab);
	if (grant && listening.has(grant.server)) await quietly(take(tab, grant));
}
var ROOT = {
	"Browser.getVersion": () => ({
		product: /Chrome\/[\d.]+/.exec(navigator.userAgent)?.[0],
		userAgent: navigator.userAgent
	}),
	"Browser.setDownloadBehavior": () => {
	},
	"Target.setAutoAttach": (grant) => listen(grant),
	"Target.getTargetInfo": async (grant, { targetId }) => {
		const tab = find(grant, targetId);
		const { url, title } = await chrome.tabs.get(tab.id);
		return { targetInfo: tab.described({ targetId, url, title }) };
	},
	"Target.detachFromTarget": (_, { sessionId }) => drop(Number(sessionId)),
	"Target.createTarget": async (grant, { url, newWindow }) => ({
		targetId: (await open(grant, url || "about:blank", newWindow)).targetId
	}),
	"Target.closeTarget": (grant, { targetId }) => chrome.tabs.remove(find(grant, targetId).id),
	"Target.activateTarget": (grant, { targetId }) => chrome.tabs.update(find(grant, targetId).id, { active: true })
};
async function answer(grant, method, params) {
	const known2 = ROOT[method];
	if (known2) return known2(grant, params ?? {});
	const any = of(grant)[0];
	if (!any || !/^(Storage|Network)\./.test(method)) throw new Refusal(`an extension cannot send ${method}`, -32601);
	return any.command(method, params);
}
function find(grant, targetId) {
	const tab = of(grant).find((it) => it.targetId === targetId);
	if (!tab) throw new Refusal("No target with given id found");
	return tab;
}
var LONGEST = 64 << 20;
var KEEP_ALIVE = 2e4;
var GRACE = 5e3;
var OUTBOX = 5e3;
var BUSY_RETRY = 1e4;
var PAUSED = "the person took over the browser: Pause, Stop, or Cancel in the debugging bar";
var NO_STORAGE = "the person has not allowed cookies and storage";
var NO_TAB = "the tab was closed or left the agent's tab group";
var Server = class {
	constructor(entry, live, changed2) {
		this.entry = entry;
		this.live = live;
		this.changed = changed2;
		this.isOpen = false;
		this.lastUsed = 0;
		this.outbox = [];
		this.pending = new Set();
		this.retryAt = 0;
		this.grant = grants.get(entry.id);
	}
	connect() {
		if (this.socket || Date.now() < this.retryAt) return;
		const socket = this.socket = new WebSocket(`ws://127.0.0.1:${this.entry.port}/extension`);
		const mine = nonce();
		let step = (data) => void this.verify(socket, mine, data).then((next) => step = next);
		socket.onopen = () => socket.send(JSON.stringify({ hello: { v: 1, nonce: mine, browser: instance } }));
		socket.onmessage = (event) => step(JSON.parse(event.data));
		const beat = setInterval(() => this.isOpen && socket.send("{}"), KEEP_ALIVE);
		socket.onclose = () => {
			clearInterval(beat);
			this.closed();
		};
	}
	send(message) {
		if (this.isOpen) this.post(message);
		else if (this.outbox.length < OUTBOX) this.outbox.push(message);
	}
	end() {
		this.socket?.close();
	}
	async setMode(mode) {
		const { grant } = this;
		if (!grant) return;
		const before = grant.mode;
		grant.mode = mode;
		saveGrants();
		if (mode !== "on") for (const command of this.pending) this.reply(command, { error: errorOf(withheld(PAUSED)) });
		if (mode === "stopped") await Promise.all(of(grant).map((tab) => tab.detach()));
		if (mode === "on") await goOn(grant, before === "stopped");
		this.changed();
	}
	async verify(socket, mine, { nonce: theirs, mac }) {
		const { token, id, name } = this.entry;
		if (mac !== await proof(token, "server", mine, theirs)) {
			socket.close();
			return () => {
			};
		}
		socket.send(JSON.stringify({ mac: await proof(token, "extension", theirs, mine) }));
		this.grant = grantFor(id, name, this.live);
		return (message) => void this.take(message);
	}
	async begin(grant, resumes) {
		clearTimeout(this.leaving);
		this.leaving = void 0;
		await dress(grant);
		if (resumes) await resume(grant);
		else this.outbox = [];
		this.isOpen = true;
		for (const message of this.outbox.splice(0)) this.post(message);
		this.changed();
	}
	closed() {
		this.socket = void 0;
		this.isOpen = false;
		const { grant } = this;
		if (grant) this.leaving ??= setTimeout(() => this.isOpen || void release(grant), GRACE);
		this.changed();
	}
	async take({ id, method, params, sessionId }) {
		const { grant } = this;
		if (!method || !grant) return;
		if (method === "Cicerone.begin") this.begun = this.begin(grant, params.resumes);
		if (method === "Cicerone.busy") this.retryAt = Date.now() + BUSY_RETRY;
		await this.begun;
		if (id === void 0) return;
		const command = { id, sessionId };
		this.pending.add(command);
		try {
			this.reply(command, { result: await this.perform(grant, method, params, sessionId) ?? {} });
		} catch (error) {
			this.reply(command, { error: errorOf(grant.mode === "on" ? error : withheld(PAUSED)) });
		}
	}
	reply(command, answer2) {
		if (this.pending.delete(command)) this.post({ ...command, ...answer2 });
	}
	perform(grant, method, params, sessionId = "") {
		this.check(grant, method, params);
		if (!sessionId) return answer(grant, method, params);
		const [tabId, child] = sessionId.split(":");
		const tab = tabs.get(Number(tabId));
		if (tab?.grant !== grant) throw withheld(NO_TAB);
		return method === "Page.navigate" ? navigate(tab, params) : tab.command(method, params, child);
	}
	check(grant, method, params) {
		this.lastUsed = Date.now();
		if (/^(Target\.(setAutoAttach|get)|Browser\.)/.test(method)) return;
		if (grant.mode !== "on") throw withheld(PAUSED);
		if (!grant.storage && touchesStorage(method, params)) throw withheld(NO_STORAGE);
		grant.lastAction = actionOf(method, params) ?? grant.lastAction;
		this.changed();
	}
	post(message) {
		const text = JSON.stringify(message);
		if (text.length < LONGEST / 3 || new Blob([text]).size < LONGEST) return this.socket?.send(text);
		if (message.id) this.post({ ...message, result: void 0, error: errorOf(new Refusal("an answer of over 64 MB")) });
	}
};
var BADGES = {
	none: ["", "#777777", "no agent is connected"],
	connected: ["on", "#188038", "an agent is connected"],
	working: ["···", "#1a73e8", "an agent is working"],
	waiting: ["wait", "#e8710a", "an agent waits for you"]
};
var WORKING = 1e3;
var shown = "";
var later;
function badge(servers2) {
	const open2 = servers2.filter((server) => server.isOpen);
	const isWorking = open2.some((server) => Date.now() - server.lastUsed < WORKING);
	const state = open2.length === 0 ? "none" : open2.some((server) => server.grant?.mode !== "on") ? "waiting" : isWorking ? "working" : "connected";
	if (isWorking) later ??= setTimeout(() => (later = void 0, badge(servers2)), WORKING + 50);
	if (state === shown) return;
	shown = state;
	const [text, color, title] = BADGES[state];
	chrome.action.setBadgeText({ text });
	chrome.action.setBadgeBackgroundColor({ color });
	chrome.action.setTitle({ title: `cicerone: ${title}` });
}
var LOOK = 1500;
var servers = new Map();
var changed = () => badge([...servers.values()]);
var looking = false;
var period = 0;
async function look() {
	if (looking) return;
	looking = true;
	try {
		await restored;
		const there = await entries();
		for (const [id, server] of servers) {
			if (server.isOpen || there.some((entry) => entry.id === id)) continue;
			servers.delete(id);
			server.end();
		}
		await wake(there.length > 0);
		for (const entry of there) {
			if (!servers.has(entry.id)) servers.set(entry.id, new Server(entry, servers, changed));
			servers.get(entry.id)?.connect();
		}
		for (const grant of grants.values()) if (grant.attached && !servers.has(grant.server)) await release(grant);
	} finally {
		looking = false;
		changed();
	}
}
async function wake(often) {
	const periodInMinutes = often ? LOOK / 6e4 : 0.5;
	if (period !== periodInMinutes) await chrome.alarms.create("look", { periodInMinutes });
	period = periodInMinutes;
}
watch((server, message) => servers.get(server)?.send(message));
chrome.debugger.onEvent.addListener((source, method, params) => {
	const tab = tabs.get(source.tabId);
	if (tab) return tab.forward(source.sessionId, method, params);
	look();
});
chrome.debugger.onDetach.addListener(async ({ tabId }, reason) => {
	const tab = tabs.get(tabId);
	if (!tab) return;
	if (reason === "canceled_by_user") return servers.get(tab.grant.server)?.setMode("stopped");
	const there = await quietly(chrome.tabs.get(tabId));
	await (there ? quietly(tab.recover()) : drop(tabId));
});
chrome.runtime.onMessage.addListener((message, _sender, respond) => {
	requested(message).then(respond);
	return true;
});
async function requested({ act, server: id, tab }) {
	await look();
	const server = servers.get(id);
	if (server?.grant) await perform(act, server, server.grant, tab);
	return Promise.all([...servers.values()].map((server2) => view(server2, tab)));
}
async function perform(act, server, grant, tabId) {
	if (act === "storage") grant.storage = !grant.storage;
	else if (act === "share") await share(await chrome.tabs.get(tabId), grant);
	else if (act) await server.setMode(act);
	saveGrants();
}
async function view({ grant, entry, isOpen }, tabId) {
	const reached = grant ? await reach(grant) : [];
	return {
		...grant,
		server: entry.id,
		client: entry.name,
		connected: isOpen,
		tabs: reached.map((tab) => tab.title || tab.url || "new tab"),
		shared: reached.some(({ id }) => id === tabId)
	};
}
for (const event of [chrome.alarms.onAlarm, chrome.runtime.onStartup, chrome.runtime.onInstalled]) event.addListener(look);
setInterval(look, LOOK);
look();
