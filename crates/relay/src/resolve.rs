use std::{fmt, io, net::IpAddr};

use futures::{FutureExt, future::BoxFuture};
use tokio::net::lookup_host;

/// Resolves names. Called for every connection; its result is what is checked and dialled.
pub trait Resolve: fmt::Debug + Send + Sync {
    /// The addresses, best first.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        async move { Ok(lookup_host((name, 0)).await?.map(|address| address.ip()).collect()) }.boxed()
    }
}
