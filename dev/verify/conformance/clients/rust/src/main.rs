//! FeatBit's Rust SDK, driven line by line: arguments are the streaming URL, the events URL and the server key.
//!
//! A line of standard input is a flag's key. The answer is a line of JSON: the value that a user gets ("none" where there is no
//! such flag), how many flags the SDK has, and how often it has connected.

use std::env;
use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use featbit_server_sdk::{FbClient, FbOptions, FbUser};
use log::{LevelFilter, Log, Metadata, Record};
use serde_json::json;

static CONNECTIONS: AtomicUsize = AtomicUsize::new(0);

struct CountConnections;

impl Log for CountConnections {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        if record.args().to_string() == "FeatBit WebSocket connected" {
            CONNECTIONS.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn flush(&self) {}
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    log::set_logger(&CountConnections)?;
    log::set_max_level(LevelFilter::Debug);
    let [streaming_url, event_url, server_key] = env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "give a streaming URL, an events URL and a server key")?;
    let options = FbOptions::builder(server_key)
        .streaming_url(streaming_url)
        .event_url(event_url)
        .start_wait(Duration::from_secs(15))
        .auto_flush_interval(Duration::from_millis(200))
        .build()?;
    let client = FbClient::with_options(options);
    let user = FbUser::builder("u1").name("u1").build();
    for line in io::stdin().lines() {
        let value = client.string_variation(line?.trim(), &user, "none");
        let flags = client.all_variations(&user).len();
        let connections = CONNECTIONS.load(Ordering::SeqCst);
        println!("{}", json!({ "value": value, "flags": flags, "connections": connections }));
    }
    client.close();
    Ok(())
}
