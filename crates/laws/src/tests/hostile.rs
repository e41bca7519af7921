//! Laws that mean ill, or are broken.
