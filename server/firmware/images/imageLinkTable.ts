// The addresses by which terminals download images. Each is of one image for one device; of its secret only the hash is kept.
import { createHash, randomBytes } from 'node:crypto';
import { plainAddress } from '../../device/tcpServer.ts';
import type { After } from '../../faults/timers.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { DeliveredImage } from '../delivery/delivery.ts';
import type { ImageLink, ImageLinkRequest, ImageLinks } from './imageLinks.ts';

/** Addresses that terminals can download from, far more than a firmware task sends at once. The device waits for another attempt. */
export const IMAGE_LINKS_LIMIT: Limit = { name: 'firmware.links', max: 1_000 };
/** Connections of one download address. A further one is answered 503 `slow-down`. */
export const LINK_DOWNLOADS_LIMIT: Limit = { name: 'firmware.downloads.link', max: 4 };
/** Connections of all download addresses. A further one is answered 503 `slow-down`. */
export const DOWNLOADS_LIMIT: Limit = { name: 'firmware.downloads', max: 200 };
const LIFETIME_MS = 3_600_000;
/** 128 bits in base64url. */
const TOKEN_FORM = /^[\w-]{22}$/;
const TOKEN_BYTES = 16;

/** What an address opens for a terminal. */
export interface TerminalDownload {
  readonly image: DeliveredImage;
  readonly deviceId: string;
  /** Ends what is being sent. */
  readonly signal: AbortSignal;
  readonly onBytes: (offset: number, bytes: number) => void;
  /** Awaited before the end of the image goes out; false ends the download. */
  readonly beforeEnd: () => Promise<boolean>;
  /** Takes the place of one connection; the result gives it back. Undefined when all are taken. */
  enter(): (() => void) | undefined;
}

export interface TerminalDownloads {
  /** Undefined for what is over, was never given out, or belongs to a terminal at another address. */
  find(token: string, address: string): TerminalDownload | undefined;
}

export interface ImageLinkTableDeps {
  /** With a slash at its end. `localAddress`: that the terminal has dialed for its signaling. */
  readonly baseUrl: (localAddress: string) => string;
  readonly now: () => number;
  readonly runAfter: After;
  readonly onLimit: OnLimit;
}

interface OpenLink {
  readonly download: TerminalDownload;
  /** Undefined: from any. */
  readonly address: string | undefined;
}

export class ImageLinkTable implements ImageLinks, TerminalDownloads {
  readonly #deps: ImageLinkTableDeps;
  readonly #links = new Map<string, OpenLink>();
  readonly #closers = new Set<() => void>();
  readonly #downloads: KeyedCount;
  readonly #ofLink: KeyedCount;

  constructor(deps: ImageLinkTableDeps) {
    this.#deps = deps;
    this.#downloads = new KeyedCount(DOWNLOADS_LIMIT, deps.onLimit);
    this.#ofLink = new KeyedCount(LINK_DOWNLOADS_LIMIT, deps.onLimit);
  }

  open({ session, image, untilMs, onBytes, beforeEnd }: ImageLinkRequest): ImageLink | undefined {
    const { baseUrl, now, runAfter, onLimit } = this.#deps;
    if (this.#links.size >= IMAGE_LINKS_LIMIT.max) {
      onLimit(IMAGE_LINKS_LIMIT);
      return undefined;
    }
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const key = hashOf(token);
    const aborting = new AbortController();
    const { signal } = aborting;
    const download = { image, deviceId: session.deviceId, signal, onBytes, beforeEnd, enter: () => this.#enter(key) };
    const address = session.relaxedMediaAddress ? undefined : plainAddress(session.remoteAddress);
    this.#links.set(key, { download, address });
    const close = (): void => {
      cancel();
      this.#links.delete(key);
      this.#closers.delete(close);
      aborting.abort();
    };
    const cancel = runAfter(Math.max(0, Math.min(untilMs - now(), LIFETIME_MS)), close);
    this.#closers.add(close);
    return { url: `${baseUrl(session.localAddress)}${token}`, close };
  }

  find(token: string, address: string): TerminalDownload | undefined {
    if (!TOKEN_FORM.test(token)) return undefined;
    const link = this.#links.get(hashOf(token));
    if (link === undefined) return undefined;
    return link.address === undefined || link.address === plainAddress(address) ? link.download : undefined;
  }

  /** Downloads that are being sent. */
  get size(): number {
    return this.#downloads.count('');
  }

  close(): void {
    for (const close of [...this.#closers]) close();
  }

  #enter(key: string): (() => void) | undefined {
    const leaveLink = this.#ofLink.enter(key);
    if (leaveLink === undefined) return undefined;
    const leaveAll = this.#downloads.enter('');
    if (leaveAll === undefined) {
      leaveLink();
      return undefined;
    }
    return () => {
      leaveLink();
      leaveAll();
    };
  }
}

/** What is compared is a hash of the secret, so that the time that it takes says nothing of the secret. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
