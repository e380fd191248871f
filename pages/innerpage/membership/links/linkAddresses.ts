// The addresses that a link gives, and what stands in another site's page to show one.
import type { LinkKind, MadeLink } from '../../../../shared/protocol/api/links.ts';
import { sealLink } from '../../../../shared/protocol/videoLink.ts';

/** Link kinds with a page of their own; the others are actions on these pages. */
export const PAGE_KINDS = ['live', 'playback', 'remote'] as const satisfies readonly LinkKind[];
export type PageKind = (typeof PAGE_KINDS)[number];

export interface PlainPlace {
  /** Origin of this installation, such as `https://fleet.example`. */
  readonly origin: string;
  /** Where playback begins, milliseconds since the epoch. */
  readonly fromMs: number;
}

export interface SealedPlace extends Pick<PlainPlace, 'origin'> {
  /** The installation's key for `/live/{hex}`. */
  readonly linkKey: string | null | undefined;
}

/** Remote playback plays this much of the device's recording, from the moment on. */
const REMOTE_SECONDS = 600;

/** The page's address with every part in plain text. */
export function plainAddress({ device, username, credential }: MadeLink, kind: PageKind, place: PlainPlace): string {
  const [path, name, secret] = [device, username, credential].map(encodeURIComponent);
  const seconds = Math.floor(place.fromMs / 1000);
  switch (kind) {
    case 'live':
      return `${place.origin}/live/${path}/${name}/${secret}`;
    case 'playback':
      // The 0 stands for the stream ID: the page makes one at random.
      return `${place.origin}/playback/${path}/0/${seconds}/${name}/${secret}`;
    case 'remote':
      return `${place.origin}/remote/${path}/${REMOTE_SECONDS}/${seconds}/${name}/${secret}`;
  }
}

/** The live page's address, in which neither name nor credential can be read at a glance. */
export function sealedAddress({ device, username, credential }: MadeLink, place: SealedPlace): string {
  return `${place.origin}/live/${sealLink({ device, username, credential }, place.linkKey)}`;
}

/** The markup for another site's page. The address has no characters that are special in markup: every part of it is encoded. */
export function embedSnippet(address: string): string {
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${escaped}" width="640" height="360" style="border:0" allow="autoplay; fullscreen; microphone; picture-in-picture"></iframe>`;
}
