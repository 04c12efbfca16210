//! The opponent, as far as the protocols describe it.

/// The opponent's description, and the engine's own rating.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opponent {
    /// Title, such as `GM`.
    pub title: Option<String>,
    /// Rating.
    pub rating: Option<i32>,
    /// The engine's own rating on the same scale.
    pub own_rating: Option<i32>,
    /// Whether the opponent is a program.
    pub is_computer: bool,
    /// Name.
    pub name: Option<String>,
}

impl Opponent {
    /// Reads the form of UCI, `TITLE RATING computer|human NAME`, where `none` means unknown. A
    /// missing part is unknown too.
    ///
    /// ```
    /// use tabiya::engine::Opponent;
    /// let opponent = Opponent::parse("GM 2800 human Gary Kasparov");
    /// assert_eq!(opponent.rating, Some(2800));
    /// assert_eq!(opponent.name.as_deref(), Some("Gary Kasparov"));
    /// assert!(!opponent.is_computer);
    /// assert!(Opponent::parse("none none computer Shredder").is_computer);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let known = |text: &&str| !text.is_empty() && *text != "none";
        let mut words = text.split_ascii_whitespace();
        let mut next = || words.next().filter(known);
        let (title, rating, kind) = (next(), next(), next());
        let name = words.collect::<Vec<_>>().join(" ");
        Self {
            title: title.map(str::to_owned),
            rating: rating.and_then(|rating| rating.parse().ok()),
            own_rating: None,
            is_computer: kind == Some("computer"),
            name: Some(name).filter(|name| known(&name.as_str())),
        }
    }

    /// The opponent's rating minus the engine's; 0 if either is unknown.
    #[must_use]
    pub fn advantage(&self) -> i32 {
        let both = self.rating.zip(self.own_rating);
        both.map_or(0, |(theirs, ours)| theirs.saturating_sub(ours))
    }
}
