//! Who plays against the engine, as far as it has been told.

/// The opponent, and what is known of the engine beside it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opponent {
    /// A title such as `GM`.
    pub title: Option<String>,
    /// The opponent's rating.
    pub rating: Option<i32>,
    /// The engine's own rating, on the same scale.
    pub own_rating: Option<i32>,
    /// A program plays, not a person.
    pub is_computer: bool,
    /// The opponent's name.
    pub name: Option<String>,
}

impl Opponent {
    /// Reads UCI's form, `TITLE RATING computer|human NAME`, with `none` for what is not known. Whatever is missing is
    /// not known.
    ///
    /// ```
    /// use tabiya::engine::Opponent;
    /// let opponent = Opponent::parse("GM 2800 human Gary Kasparov");
    /// assert_eq!(opponent.rating, Some(2800));
    /// assert_eq!(opponent.name.as_deref(), Some("Gary Kasparov"));
    /// assert!(!opponent.is_computer && Opponent::parse("none none computer Shredder").is_computer);
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

    /// By how much the opponent's rating is above the engine's; 0 if one of them is not known.
    #[must_use]
    pub fn advantage(&self) -> i32 {
        let both = self.rating.zip(self.own_rating);
        both.map_or(0, |(theirs, ours)| theirs.saturating_sub(ours))
    }
}
