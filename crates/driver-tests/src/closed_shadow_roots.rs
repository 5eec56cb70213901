//! What is in closed shadow roots.

use crate::{
    Driver, Trial,
    site::{Site, html},
};

pub async fn closed_shadow_roots_are_in_snapshots_once_they_are_reported(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|_| {
        html(
            "<link rel=icon href='data:,'><div style='width: 200px; height: 50px'></div><script>
                document.querySelector('div').attachShadow({ mode: 'closed' }).innerHTML = '<button>Inside</button>'
            </script>",
        )
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let Some(power) = page.closed_shadow_roots() else { return trial.browser.close().await };
    let main = page.main_frame();
    assert!(!page.call(&main, "snapshot", "{}").await.unwrap().contains("Inside"));

    assert_eq!(power.report_closed_shadow_roots(&main).await.unwrap(), 1);

    assert!(page.call(&main, "snapshot", "{}").await.unwrap().contains("Inside"));
    assert_eq!(power.report_closed_shadow_roots(&main).await.unwrap(), 0);
    trial.browser.close().await;
}
