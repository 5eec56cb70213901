//! Headers that a page sends with every request.

use crate::{Error, Result, Unsupported, page::parts::Emulator};

impl Emulator<'_> {
    /// Replaces them.
    pub(crate) async fn set_extra_headers(self, headers: &[(String, String)]) -> Result<()> {
        let power =
            self.page.driver().extra_headers().ok_or(Error::Unsupported(Unsupported::ExtraHeaders))?;
        self.page.injected().with_action_timeout(power.set_extra_headers(headers)).await
    }
}
