// What strangers, broken programs and attackers send to the gateway's ports: whole conversations as bytes, sound and damaged.
import { encodeFrame } from '../../../server/device/jt808/codec/frame.ts';
import { LIVE_UPDATES_PATH } from '../../../shared/protocol/api/liveUpdates.ts';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { ControlPath } from '../../../shared/protocol/stream/controlMessages.ts';
import { damaged, pick, type Random } from '../../support/fuzz.ts';
import {
  negativeSafetyVectors,
  negativeVectors,
  ofHex,
  safetyVectors,
  vectors,
} from '../../unit/server/device/jt808/codec/vectors.ts';

/** What a client says on one connection. */
export type Conversation = (random: Random) => Uint8Array;

export interface Secrets {
  /** Query of a link that opens the device: `username=...&credential=...&deviceid=...`. */
  readonly link: string;
  /** `Cookie` of a signed-in browser. */
  readonly cookie: string;
  /** Frame of 0x0102 that signs the device's terminal in. */
  readonly authentication: Uint8Array;
}

const DAY = 'streamid=7&spbtime=1790000000&duration=60&chs=1';

export function httpConversation({ link, cookie }: Secrets): Conversation {
  const login = JSON.stringify({ username: 'nobody', password: 'nothing at all' });
  const json = 'Content-Type: application/json\r\n';
  const requests = [
    request('GET / HTTP/1.1'),
    request('GET /healthz HTTP/1.1'),
    request('GET //%2e%2e//..;/ HTTP/1.1'),
    request('GET /api/user/status HTTP/1.1', `Cookie: ${cookie}\r\n`),
    request('GET /api/device/list?size=50&search=%00&sort=name HTTP/1.1', `Cookie: ${cookie}\r\n`),
    request(`GET /api/device/device?${link} HTTP/1.1`),
    request(`GET /api/playback/ranges?${link}&from=1&to=2 HTTP/1.1`),
    request('GET /healthz HTTP/1.1', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n'),
    request('POST /api/user/logout HTTP/1.1', `${json}Transfer-Encoding: chunked\r\n`, '2\r\n{}\r\n0\r\n\r\n'),
    request('POST /api/user/login HTTP/1.1', `${json}Content-Length: ${login.length}\r\n`, login),
    request('PUT /api/system/member HTTP/1.1', `${json}Cookie: ${cookie}\r\nContent-Length: 4\r\n`, '{"a"'),
    request('GET /favicon.svg HTTP/1.1', 'Range: bytes=0-1,5-\r\n'),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    request('CONNECT evil.example:443 HTTP/1.1'),
  ].map(bytesOf);
  return (random) => {
    const said = Array.from({ length: 1 + random(3) }, () => pick(requests, random));
    return random(5) === 0 ? joined(said) : damaged(joined(said), random);
  };
}

export function webSocketConversation({ link, cookie }: Secrets): Conversation {
  const targets = [
    `${StreamPath.Live}?${link}&channel=1&audio=1`,
    `${StreamPath.LocalPlayback}?${link}&channel=1&audio=0&${DAY}`,
    `${StreamPath.RemotePlayback}?${link}&channel=1&audio=0&${DAY}`,
    `${ControlPath.Ptz}?${link}&channel=1`,
    `${ControlPath.Talk}?${link}&channel=1`,
    LIVE_UPDATES_PATH,
    '//',
    'http://[',
  ];
  const handshakes = targets.map((target) =>
    bytesOf(
      request(
        `GET ${target} HTTP/1.1`,
        `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: ${cookie}\r\n`,
      ),
    ),
  );
  return (random) => {
    const handshake = pick(handshakes, random);
    const frames = joined(Array.from({ length: random(6) }, () => webSocketFrame(random)));
    switch (random(4)) {
      case 0: // frames behind a handshake that was cut anywhere
        return joined([handshake.subarray(0, random(handshake.length + 1)), frames]);
      case 1:
        return joined([damaged(handshake, random), frames]);
      case 2:
        return joined([handshake, damaged(joined([frames, webSocketFrame(random)]), random)]);
      default:
        return joined([handshake, frames]);
    }
  };
}

const CLIENT_MESSAGES = [
  '{"type":"pause"}',
  '{"type":"seek","positionMs":1790000000000}',
  '{"type":"step","frames":-1}',
  '{"type":"speed","speed":16}',
  '{"type":"video","on":false}',
  '{"type":"watch","topics":["fleet","summary"]}',
  '{"type":"rotate","direction":"left","speed":128}',
  '{"type":"seek","positionMs":1e999}',
  '[',
  '',
];

/** One frame as a client sends it, with the mistakes that there are: reserved bits, no mask, a wrong length. */
function webSocketFrame(random: Random): Uint8Array {
  const payload = bytesOf(pick(CLIENT_MESSAGES, random));
  const opcode = pick([1, 1, 1, 2, 0, 8, 9, 10, 3, 15], random);
  const reserved = random(6) === 0 ? pick([0x40, 0x20, 0x10], random) : 0;
  const final = random(8) === 0 ? 0 : 0x80;
  const masked = random(10) === 0 ? 0 : 0x80;
  const length = random(12) === 0 ? random(126) : payload.length;
  const mask = masked === 0 ? [] : [1, 2, 3, 4];
  const body = masked === 0 ? payload : payload.map((byte, at) => byte ^ ((at % 4) + 1));
  return joined([Uint8Array.of(final | reserved | opcode, masked | length, ...mask), body]);
}

const published = [...vectors, ...negativeVectors, ...safetyVectors, ...negativeSafetyVectors];
const signalling = published.filter(({ protocol }) => protocol === 'jt808').map(({ hex }) => ofHex(hex));
const media = published.filter(({ protocol }) => protocol === 'jt1078').map(({ hex }) => ofHex(hex));

export function signallingConversation({ authentication }: Secrets): Conversation {
  return (random) => {
    const frames = Array.from({ length: 1 + random(4) }, () => signallingFrame(random));
    return joined(random(3) === 0 ? [authentication, ...frames] : frames);
  };
}

function signallingFrame(random: Random): Uint8Array {
  const frame = pick(signalling, random);
  switch (random(3)) {
    case 0:
      return frame;
    case 1:
      return damaged(frame, random);
    default: // what is inside is damaged, and its check code is right
      return encodeFrame(damaged(frame.subarray(1, -2), random));
  }
}

export const mediaConversation: Conversation = (random) => {
  const packets = joined(Array.from({ length: 1 + random(6) }, () => pick(media, random)));
  return random(3) === 0 ? packets : damaged(packets, random);
};

const FTP_LINES = [
  'USER bus',
  'PASS x',
  'FEAT',
  'PORT 127,0,0,1,200,10',
  'EPSV',
  'CWD ../../etc',
  'STOR ..\\a\0b',
  'REST 99999999999',
  'ABOR',
  `MKD ${'x'.repeat(4_096)}`,
  'QUIT',
].map((line) => new TextEncoder().encode(`${line}\r\n`));

export const ftpConversation: Conversation = (random) => {
  const lines = joined(Array.from({ length: 1 + random(8) }, () => pick(FTP_LINES, random)));
  return random(3) === 0 ? lines : damaged(lines, random);
};

/** `hello`: the first flight of a real TLS client. */
export function tlsConversation(hello: Uint8Array): Conversation {
  return (random) => (random(4) === 0 ? noise(random) : damaged(hello, random));
}

/** Bytes without any sense. */
export const noise: Conversation = (random) => Uint8Array.from({ length: 1 + random(300) }, () => random(256));

function request(line: string, headers = '', body = ''): string {
  return `${line}\r\nHost: 127.0.0.1\r\n${headers}\r\n${body}`;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
