// The least that shows these pictures by WebCodecs on canvases: what a whole player is measured against. It knows no error, no
// loss, no other size, no late picture.
const HEADER_BYTES = 24;
const TELL_MS = 200;

let seen = [];
let uncommitted = [];
setInterval(() => {
  const ready = seen.filter(({ committedAt }) => committedAt !== undefined);
  seen = seen.filter(({ committedAt }) => committedAt === undefined);
  if (ready.length > 0) self.postMessage(ready);
}, TELL_MS);

self.onmessage = ({ data: { channel, host, canvas } }) => {
  const context = canvas.getContext('2d');
  const decoder = new VideoDecoder({
    output: (frame) => {
      context.drawImage(frame, 0, 0, canvas.width, canvas.height);
      note({ channel, mediaTimeUs: frame.timestamp, at: epochNow() });
      frame.close();
    },
    error: (error) => console.error(error),
  });
  decoder.configure({ codec: 'avc1.4d401e', optimizeForLatency: true });
  const socket = new WebSocket(`ws://${host}/stream/liveview/video.fuho?channel=${channel}`);
  socket.binaryType = 'arraybuffer';
  socket.onmessage = ({ data }) => {
    const header = new DataView(data, 0, HEADER_BYTES);
    const type = (header.getUint8(3) & 1) === 1 ? 'key' : 'delta';
    const timestamp = Number(header.getBigInt64(8));
    decoder.decode(new EncodedVideoChunk({ type, timestamp, data: new Uint8Array(data, HEADER_BYTES) }));
  };
};

function note(picture) {
  seen.push(picture);
  uncommitted.push(picture);
  if (uncommitted.length === 1) requestAnimationFrame(commit);
}

function commit() {
  const at = epochNow();
  for (const picture of uncommitted) picture.committedAt = at;
  uncommitted = [];
}

const epochNow = () => performance.timeOrigin + performance.now();
