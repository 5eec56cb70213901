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
}
