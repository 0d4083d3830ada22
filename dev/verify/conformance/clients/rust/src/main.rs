//! FeatBit's Rust SDK, driven line by line: arguments are the streaming URL, the events URL and the server key.
//!
//! A line of standard input is a flag's key. The answer is a line of JSON: the value that a user gets ("none" where there is no
//! such flag), how many flags the SDK has, and how often it has connected.
//!
//! With two arguments it is offline: a file with a data-sync message and the number of its flags, `c0`, `c1` and so on. A line of
//! standard input is then JSON: the text of the user's attribute `v`, or null where it is missing. The answer is a line with a
//! character for each flag: 1 for true, 0 for false, ! for no value.

use std::env;
use std::error::Error;
use std::{fs, io};
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
    if let [_, path, count] = &env::args().collect::<Vec<_>>()[..] {
        return evaluate_offline(&fs::read_to_string(path)?, count.parse()?);
    }
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

fn evaluate_offline(message: &str, count: usize) -> Result<(), Box<dyn Error + Send + Sync>> {
    let options = FbOptions::builder("offline")
        .offline(true)
        .bootstrap_json(message)
        .build()?;
    let client = FbClient::with_options(options);
    for line in io::stdin().lines() {
        let text: Option<String> = serde_json::from_str(&line?)?;
        let mut user = FbUser::builder("u1").name("u1");
        if let Some(text) = text {
            user = user.custom("v", text);
        }
        let user = user.build();
        let shown: String = (0..count)
            .map(|n| match client.string_variation(&format!("c{n}"), &user, "none").as_str() {
                "true" => '1',
                "false" => '0',
                _ => '!',
            })
            .collect();
        println!("{shown}");
    }
    client.close();
    Ok(())
}
