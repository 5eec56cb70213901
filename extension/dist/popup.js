var main = document.querySelector("main");
async function show(act, server) {
	const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
	const views = await chrome.runtime.sendMessage({ act, server, tab: tab?.id });
	main.replaceChildren(...views.length ? views.map(part) : [line("No agent is connected. Start your client with cicerone --extension.")]);
}
function part(view) {
	const held = view.mode === "paused" || view.mode === "stopped";
	const button = (label, act) => {
		const made = make("button", label);
		made.onclick = () => void show(act, view.server);
		return made;
	};
	const section = make("section");
	section.append(
		make("h1", view.client),
		line(`State: ${held ? view.mode : view.connected ? "connected" : "connecting"}`),
		line(`Tabs: ${view.tabs.join(", ") || "none"}`),
		line(`Last action: ${view.lastAction || "none"}`),
		held ? button("Resume", "resume") : button("Pause", "pause"),
		button("Stop", "stop"),
		button(view.shared ? "Stop sharing this tab" : "Share this tab", "share"),
		button(view.storage ? "Forbid cookies and storage" : "Allow cookies and storage", "storage")
	);
	return section;
}
function line(text) {
	return make("p", text);
}
function make(tag, text = "") {
	const made = document.createElement(tag);
	made.textContent = text;
	return made;
}
show();
setInterval(show, 1e3);
