//! The message in a request's body, examined before the SDK gets it.

use bytes::Bytes;
use serde_json::{Value, json};

/// The key of the protocol version, in protocol versions without a handshake.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// The key of the client info, there.
const CLIENT_KEY: &str = "io.modelcontextprotocol/clientInfo";

/// A message, as far as sessions and calls are concerned.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) kind: Kind,
    /// Whether it asks for work. Notifications, answers and pings never wait for a call to end: they cancel it, continue
    /// it, or ask for signs of life.
    pub(crate) is_call: bool,
}

/// Which session a message belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The handshake that starts a session.
    Initialize,
    /// The question for the versions, which needs no session; as it was understood here, so that nobody finds another
    /// question in it.
    Discover { bytes: Bytes },
    /// A request without a session, from the client with this name.
    Stateless { client: String },
    /// A message of a session, with its request id.
    InSession { id: Option<Value> },
}

/// Parses a message; a malformed one gets a JSON-RPC error.
pub(crate) fn read(bytes: &[u8]) -> Result<Message, Value> {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        return Err(error(-32700, "Parse error: the body is not JSON", Value::Null));
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
    let invalid =
        |why: &str| Err(error(-32600, &format!("Invalid request: {why}"), id.clone().unwrap_or_default()));
    let Some(message) = value.as_object() else { return invalid("it is not an object") };
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid("jsonrpc must be \"2.0\"");
    }
    let is_answer = message.contains_key("result") || message.contains_key("error");
    match message.get("method") {
        Some(Value::String(_)) if message.contains_key("id") && id.is_none() => {
            return invalid("id must be a string or a number");
        }
        Some(Value::String(_)) => {}
        None if is_answer => {}
        _ => return invalid("method must be a string"),
    }
    let is_call = id.is_some() && message.get("method").is_some_and(|method| method != "ping");
    Ok(Message { kind: kind(&value, id), is_call })
}

fn kind(value: &Value, id: Option<Value>) -> Kind {
    let meta = &value["params"]["_meta"];
    match value["method"].as_str() {
        Some("initialize") if meta.get(VERSION_KEY).is_none() => Kind::Initialize,
        Some("server/discover") => Kind::Discover { bytes: value.to_string().into() },
        Some(_) if meta.get(VERSION_KEY).is_some() => {
            Kind::Stateless { client: meta[CLIENT_KEY]["name"].as_str().unwrap_or_default().to_owned() }
        }
        _ => Kind::InSession { id },
    }
}

/// The answer to a message before a session started.
pub(crate) fn not_initialized(id: Option<Value>) -> Value {
    error(-32000, "Server not initialized: send initialize first", id.unwrap_or_default())
}

fn error(code: i32, message: &str, id: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(body: &str) -> Result<Kind, Value> {
        read(body.as_bytes()).map(|message| message.kind)
    }

    #[test]
    fn calls_are_told_from_what_never_waits() {
        let is_call = |body: &str| read(body.as_bytes()).unwrap().is_call;
        for call in ["initialize", "tools/call", "tools/list", "server/discover", "no/such/method"] {
            assert!(is_call(&json!({ "jsonrpc": "2.0", "id": 1, "method": call }).to_string()), "{call}");
        }
        for other in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#,
        ] {
            assert!(!is_call(other), "{other}");
        }
    }

    #[test]
    fn a_question_for_the_versions_is_passed_on_as_it_was_understood() {
        let twice = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"server/discover"}"#;
        let Ok(Kind::Discover { bytes }) = kind_of(twice) else { panic!("no discovery") };
        assert!(!String::from_utf8(bytes.to_vec()).unwrap().contains("tools/call"));
    }

    #[test]
    fn messages_are_told_from_what_is_none() {
        let code = |body: &str| kind_of(body).map_err(|error| error["error"]["code"].as_i64().unwrap());
        for bad in ["", "{", "nonsense", "\u{0}"] {
            assert_eq!(code(bad), Err(-32700), "{bad}");
        }
        assert_eq!(read(b"{\"a\":\"\xff\"}").unwrap_err()["error"]["code"], -32700);
        for bad in ["1", "[]", "\"text\"", "{}", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#] {
            assert_eq!(code(bad), Err(-32600), "{bad}");
        }
        let with_id = read(br#"{"jsonrpc":"2.0","id":7,"method":1}"#).unwrap_err();
        assert_eq!(with_id["id"], 7);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#), Ok(Kind::Initialize));
        assert_eq!(
            code(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            Ok(Kind::InSession { id: Some(json!(1)) })
        );
        let meta = json!({ VERSION_KEY: "2026-07-28", CLIENT_KEY: { "name": "x", "version": "1" } });
        let stateless =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta } });
        assert_eq!(code(&stateless.to_string()), Ok(Kind::Stateless { client: "x".into() }));
    }
}
