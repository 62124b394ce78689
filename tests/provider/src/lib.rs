//! A language model provider for tests: an HTTP server on a loopback address that speaks the OpenAI protocol, correctly
//! or not, as each test scripts it.
#![expect(clippy::missing_panics_doc, clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::sync::{Arc, Mutex};
use std::time::Instant;

use futures_util::{StreamExt, stream};
use poem::http::{HeaderMap, StatusCode};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::web::Data;
use poem::{Body, EndpointExt, Response, Route, Server, handler, post};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// A request that the provider received.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Value,
    /// When it arrived.
    pub at: Instant,
    /// How many arrived before it.
    pub index: usize,
}

impl Asked {
    /// Returns the text of the first message with this role.
    pub fn message(&self, role: &str) -> &str {
        let messages = self.body["messages"].as_array().unwrap();
        messages.iter().find(|message| message["role"] == role).unwrap()["content"].as_str().unwrap()
    }
}

/// How the provider answers a request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Answers with this text and reports this number of tokens.
    Text(String, u64),
    /// Refuses, as a model does.
    Refusal,
    /// Answers with a text that the token limit cut off.
    CutOff,
    /// Answers with a status, a body and a `Retry-After`.
    Status(u16, Value, Option<&'static str>),
    /// Never answers.
    Stall,
    /// Sends the beginning of a good answer and closes the connection.
    BreakOff,
    /// Sends an answer that never ends.
    Flood,
}

impl Reply {
    /// Answers with this JSON and reports no tokens.
    pub fn json(answer: &Value) -> Self {
        Self::Text(answer.to_string(), 0)
    }
}

type Script = Arc<dyn Fn(&Asked) -> Reply + Send + Sync>;

/// A running provider. Dropping the value ends it.
pub struct Provider {
    base_url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    serving: JoinHandle<()>,
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Provider").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

#[derive(Clone)]
struct Playing {
    script: Script,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Provider {
    /// Listens on a free port, and does about each request what the script says.
    pub async fn start(script: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await.unwrap();
        let address = *acceptor.local_addr()[0].as_socket_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let playing = Playing { script: Arc::new(script), asked: asked.clone() };
        let route = Route::new().at("/v1/chat/completions", post(complete)).data(playing);
        let serving = tokio::spawn(async move {
            let _ = Server::new_with_acceptor(acceptor).run(route).await;
        });
        Self { base_url: format!("http://{address}/v1"), asked, serving }
    }

    /// Starts a provider that gives these replies in turn, and the last one to all further requests.
    pub async fn replying(replies: impl Into<Vec<Reply>>) -> Self {
        let replies = replies.into();
        Self::start(move |asked| replies[asked.index.min(replies.len() - 1)].clone()).await
    }

    /// Returns the URL before `/chat/completions`.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Returns the requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

#[handler]
async fn complete(headers: &HeaderMap, body: Body, playing: Data<&Playing>) -> Response {
    let body = serde_json::from_slice(&body.into_bytes().await.unwrap()).unwrap();
    let asked = {
        let mut all = playing.asked.lock().unwrap();
        let asked = Asked { headers: headers.clone(), body, at: Instant::now(), index: all.len() };
        all.push(asked.clone());
        asked
    };
    match (playing.script)(&asked) {
        Reply::Text(text, tokens) => answer(&completion(&json!({ "content": text }), "stop", tokens)),
        Reply::Refusal => {
            answer(&completion(&json!({ "content": null, "refusal": "I can't help with that." }), "stop", 9))
        }
        Reply::CutOff => answer(&completion(&json!({ "content": "{\"doors\": [" }), "length", 9)),
        Reply::Status(status, body, retry_after) => {
            let response =
                Response::builder().status(StatusCode::from_u16(status).unwrap()).content_type("application/json");
            match retry_after {
                Some(retry_after) => response.header("Retry-After", retry_after),
                None => response,
            }
            .body(body.to_string())
        }
        Reply::Stall => std::future::pending().await,
        Reply::BreakOff => {
            let whole = completion(&json!({ "content": "{\"doors\": []}" }), "stop", 9).to_string();
            let half = stream::iter([Ok::<_, std::io::Error>(whole[..whole.len() / 2].to_owned())]);
            Response::builder()
                .content_type("application/json")
                .header("Content-Length", whole.len())
                .body(Body::from_bytes_stream(half))
        }
        Reply::Flood => {
            let blanks = stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]));
            Response::builder().content_type("application/json").body(Body::from_bytes_stream(blanks.boxed()))
        }
    }
}

fn answer(body: &Value) -> Response {
    Response::builder().content_type("application/json").body(body.to_string())
}

fn completion(message: &Value, finish_reason: &str, tokens: u64) -> Value {
    let mut message = message.clone();
    message["role"] = json!("assistant");
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "a-model",
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason }],
        "usage": { "prompt_tokens": tokens, "completion_tokens": 0, "total_tokens": tokens },
    })
}
