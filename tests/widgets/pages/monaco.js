import "monaco-editor/editor/editor.main.js";
import * as monaco from "monaco-editor/editor/editor.api.js";

self.MonacoEnvironment = { getWorker: () => new Worker("monaco-worker.js") };
const editor = monaco.editor.create(document.getElementById("editor"), {
    value: ["const port = 8080;", "const host = 'localhost';", "", "start(host, port);"].join("\n"),
    language: "plaintext",
    minimap: { enabled: false },
});
document.getElementById("save").onclick = () => {
    document.getElementById("saved").textContent = `Saved ${JSON.stringify(editor.getValue())}`;
};
