//! Scripts in a world of their own.

use crate::{Driver, Trial, site::Site, value};
use cicerone_driver::SandboxAnswer;

pub async fn a_sandbox_sees_the_document_and_not_the_worlds_of_others(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let Some(sandbox) = page.script_sandbox() else { return trial.browser.close().await };
    let main = page.main_frame();
    value(&*page, "void (window.ofThePage = 1, document.title = 'theirs')").await;
    let program = "(async () => [document.title, typeof ofThePage, typeof cicerone].join())()";
    let answer = sandbox.run_in_sandbox(&main, program).await.unwrap();
    assert_eq!(answer, SandboxAnswer::Text("theirs,undefined,undefined".into()));
    sandbox.run_in_sandbox(&main, "(async () => { globalThis.ours = 1; return '' })()").await.unwrap();
    assert_eq!(value(&*page, "typeof ours").await, "undefined");

    for program in ["(async () => {", "Promise.reject(new Error('no'))"] {
        let answer = sandbox.run_in_sandbox(&main, program).await.unwrap();
        assert!(matches!(answer, SandboxAnswer::Failed { .. }), "{program}: {answer:?}");
    }
    trial.browser.close().await;
}
