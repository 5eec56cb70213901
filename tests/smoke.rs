//! The shortest way through every layer.

use serde_json::json;

use crate::support::open;

#[test]
fn a_page_is_opened_read_and_clicked() {
    let mut tab = open("<title>Shop</title><button onclick=\"this.textContent = 'Bought'\">Buy</button>");
    let snapshot = tab.snapshot();
    snapshot.says("button \"Buy\"");
    let buy = snapshot.reference("button \"Buy\"");
    let clicked = tab.call("browser_click", json!({ "ref": buy }));
    clicked.says("Clicked button \"Buy\"").says("settled").says("~ button \"Bought\"");
}
