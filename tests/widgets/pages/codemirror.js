import { basicSetup, EditorView } from "codemirror";
import { javascript } from "@codemirror/lang-javascript";

const view = new EditorView({
    doc: "select(1);\nselect(2);",
    extensions: [basicSetup, javascript()],
    parent: document.getElementById("editor"),
});
document.getElementById("run").onclick = () => {
    document.getElementById("ran").textContent = `Ran ${JSON.stringify(view.state.doc.toString())}`;
};
