use hyper::{
    HeaderMap,
    header::{
        CONNECTION, HeaderName, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING,
        UPGRADE,
    },
};

/// Headers of a single connection.
static HOP_BY_HOP: [HeaderName; 9] = [
    CONNECTION,
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
];

/// The headers to forward, in order: all except connection headers and those listed in `Connection`.
pub(crate) fn end_to_end(headers: HeaderMap) -> HeaderMap {
    let named: Vec<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    let ends =
        |name: &HeaderName| HOP_BY_HOP.contains(name) || named.iter().any(|named| named == name.as_str());
    // Removing from the map would reorder the rest, and some sites check the order.
    let mut kept = HeaderMap::with_capacity(headers.len());
    let mut last: Option<HeaderName> = None;
    for (name, value) in headers {
        last = name.or(last);
        if let Some(name) = last.as_ref().filter(|name| !ends(name)) {
            kept.append(name.clone(), value);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use cicerone_testkit::ForeignText;

    use super::*;

    #[test]
    fn what_is_about_the_connection_ends_with_it() {
        let given = [
            ("host", "site.test"),
            ("connection", "keep-alive, X-Private"),
            ("proxy-authorization", "Basic x"),
            ("proxy-connection", "keep-alive"),
            ("x-private", "1"),
            ("cookie", "a"),
            ("te", "trailers"),
            ("cookie", "b"),
            ("accept", "*/*"),
        ];
        let headers =
            given.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        let kept = end_to_end(headers);
        let names: Vec<_> =
            kept.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        assert_eq!(names, [("host", "site.test"), ("cookie", "a"), ("cookie", "b"), ("accept", "*/*")]);
    }

    #[test]
    fn whatever_a_request_says_of_its_connection_ends_with_it() {
        const NAMES: [&str; 8] =
            ["connection", "te", "upgrade", "keep-alive", "proxy-authorization", "x-a", "x-b", "cookie"];
        const VALUES: [&str; 8] = ["", ",", "x-a", " X-A ,", "close, x-b", "x-a,x-b,cookie", "a=b", "\t"];
        let mut foreign = ForeignText::new();
        for _ in 0..20_000 {
            let mut headers = HeaderMap::new();
            for _ in 0..foreign.usize(0..10) {
                let (name, value) = (foreign.one_of(&NAMES), foreign.one_of(&VALUES));
                headers.append(name, value.parse().unwrap());
            }
            let kept = end_to_end(headers.clone());
            let named = |name: &HeaderName| {
                let mut values = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
                values.any(|value| value.split(',').any(|one| one.trim().eq_ignore_ascii_case(name.as_str())))
            };
            for name in headers.keys() {
                let ends = HOP_BY_HOP.contains(name) || named(name);
                let (before, after) = (headers.get_all(name).iter(), kept.get_all(name).iter());
                let expected: Vec<_> = if ends { Vec::new() } else { before.collect() };
                assert_eq!(after.collect::<Vec<_>>(), expected, "{name} of {headers:?}");
            }
        }
    }
}
