//! A resolver that returns public addresses only.
//!
//! The client connects to the addresses that it returns, and nothing else looks the name up. So a name that changes its
//! addresses between the check and the connection (DNS rebinding) gains nothing.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

use crate::public::is_public;

/// The reason why a name has no address to connect to.
#[derive(Debug, Error)]
pub(crate) enum LookupError {
    /// It has addresses, but none of them is public.
    #[error("the name has no public address")]
    NotPublic,
    /// It has no addresses.
    #[error("the name could not be looked up")]
    NotFound(#[source] io::Error),
}

/// Looks names up with the system's resolver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // The client replaces port 0 by the URL's port.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await.map_err(LookupError::NotFound)?;
            let addresses: Vec<SocketAddr> = found.collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// Returns another resolver's addresses without those that are not public.
#[derive(Clone)]
pub(crate) struct PublicOnly(pub(crate) Arc<dyn Resolve>);

impl fmt::Debug for PublicOnly {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PublicOnly")
    }
}

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let looking_up = self.0.resolve(name);
        Box::pin(async move {
            let found: Vec<SocketAddr> = looking_up.await?.collect();
            if found.is_empty() {
                return Err(LookupError::NotFound(io::ErrorKind::NotFound.into()).into());
            }
            let public: Vec<SocketAddr> = found.into_iter().filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err(LookupError::NotPublic.into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A resolver that returns the next of its answers each time.
    struct Changing {
        answers: Vec<Vec<&'static str>>,
        asked: AtomicUsize,
    }

    impl Resolve for Changing {
        fn resolve(&self, _name: Name) -> Resolving {
            let asked = self.asked.fetch_add(1, Ordering::SeqCst);
            let answer = &self.answers[asked.min(self.answers.len() - 1)];
            let addresses: Vec<SocketAddr> =
                answer.iter().map(|address| SocketAddr::new(address.parse().unwrap(), 0)).collect();
            Box::pin(async move { Ok(Box::new(addresses.into_iter()) as Addrs) })
        }
    }

    async fn answers(answers: &[&[&'static str]]) -> Vec<Result<Vec<String>, String>> {
        let changing =
            Changing { answers: answers.iter().map(|answer| answer.to_vec()).collect(), asked: AtomicUsize::new(0) };
        let resolver = PublicOnly(Arc::new(changing));
        let mut seen = Vec::new();
        for _ in answers {
            let answer = resolver.resolve("hooks.example.com".parse().unwrap()).await;
            seen.push(match answer {
                Ok(addresses) => Ok(addresses.map(|address| address.ip().to_string()).collect()),
                Err(error) => Err(error.to_string()),
            });
        }
        seen
    }

    fn refused() -> Result<Vec<String>, String> {
        Err(LookupError::NotPublic.to_string())
    }

    #[tokio::test]
    async fn only_public_addresses_are_returned() {
        let seen = answers(&[&["10.0.0.1", "8.8.8.8", "::1", "2606:4700:4700::1111", "::ffff:127.0.0.1"]]).await;
        assert_eq!(seen, [Ok(vec!["8.8.8.8".to_owned(), "2606:4700:4700::1111".to_owned()])]);
    }

    #[tokio::test]
    async fn changed_addresses_are_checked_again() {
        let seen = answers(&[&["8.8.8.8"], &["127.0.0.1"], &["8.8.8.8"]]).await;
        assert_eq!(seen, [Ok(vec!["8.8.8.8".to_owned()]), refused(), Ok(vec!["8.8.8.8".to_owned()])]);
    }

    #[tokio::test]
    async fn name_without_addresses_is_not_found() {
        let seen = answers(&[&[]]).await;
        assert_eq!(seen, [Err("the name could not be looked up".to_owned())]);
    }
}
