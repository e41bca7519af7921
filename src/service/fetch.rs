//! Fetching what a link leads to.
use crate::kernel::Refusal;
/// stub
#[derive(Default)]
pub struct Fetcher {}
impl Fetcher {
    /// stub
    pub async fn fetch(&self, _url: &str) -> Result<String, Refusal> {
        Err(Refusal::new("links are not fetched yet"))
    }
}
