//! The part of the Protocol Buffers wire format that ONNX needs: <https://protobuf.dev/programming-guides/encoding>.

/// An encoded message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// Appends an integer field.
    pub(crate) fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    /// Appends a field of bytes.
    pub(crate) fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// Appends a string field.
    pub(crate) fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// Appends a field that is a message.
    pub(crate) fn message(self, field: u64, message: &Message) -> Self {
        self.bytes(field, &message.0)
    }

    /// Appends a repeated integer field, one entry at a time.
    pub(crate) fn numbers(self, field: u64, values: &[i64]) -> Self {
        values.iter().fold(self, |message, value| message.number(field, *value as u64))
    }

    /// Appends a repeated integer field in packed form.
    pub(crate) fn packed(self, field: u64, values: &[i64]) -> Self {
        let mut list = Self::default();
        for value in values {
            list.varint(*value as u64);
        }
        self.message(field, &list)
    }

    /// Returns the bytes of the message.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Appends an integer as a varint.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
