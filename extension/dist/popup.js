var main = document.querySelector("main");
async function show(act, server) {
	const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
	const views = await chrome.runtime.sendMessage({ act, server, tab: tab?.id });
	main.replaceChildren(...views.length ? views.map(part) : [make("p", "No agent is connected: start cicerone --extension.")]);
}
function part(view) {
	const held = (view.mode ?? "on") !== "on";
	const button = (label, act) => Object.assign(make("button", label), { onclick: () => show(act, view.server) });
	const section = make("section");
	section.append(
		make("h1", view.client),
		make("p", `State: ${held ? view.mode : view.connected ? "connected" : "connecting"}`),
		make("p", `Tabs: ${view.tabs.join(", ") || "none"}`),
		make("p", `Last action: ${view.lastAction || "none"}`),
		held ? button("Resume", "on") : button("Pause", "paused"),
		button("Stop", "stopped"),
		button(view.shared ? "Stop sharing this tab" : "Share this tab", "share"),
		button(view.storage ? "Forbid cookies and storage" : "Allow cookies and storage", "storage")
	);
	return section;
}
function make(tag, text = "") {
	const made = document.createElement(tag);
	made.textContent = text;
	return made;
}
show();
setInterval(show, 1e3);
