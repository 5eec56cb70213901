import "prosemirror-view/style/prosemirror.css";
import "prosemirror-menu/style/menu.css";
import "prosemirror-example-setup/style/style.css";
import { exampleSetup } from "prosemirror-example-setup";
import { DOMParser } from "prosemirror-model";
import { schema } from "prosemirror-schema-basic";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";

const draft = document.createElement("div");
draft.innerHTML = "<p>Dear <b>Ada</b>,</p><p>thank you.</p>";
const doc = DOMParser.fromSchema(schema).parse(draft);
const view = new EditorView(document.getElementById("editor"), {
    state: EditorState.create({ doc, plugins: exampleSetup({ schema }) }),
});
document.getElementById("send").onclick = () => {
    document.getElementById("sent").textContent = `Sent ${JSON.stringify(view.state.doc.textBetween(0, view.state.doc.content.size, "\n"))}`;
};
