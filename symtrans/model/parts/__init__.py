"""What the layers of a Transformer are made of, a file each: embeddings, attention, feed-forward, norms, output."""
