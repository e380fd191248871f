// The colors of the kinds in charts: neighbors in a bar differ in both schemes, in their lightness, too.
import { NETFLOW_KINDS, type NetflowKind } from '../../../../shared/protocol/netflow/netflowWords.ts';

const COLORS: Readonly<Record<NetflowKind, string>> = {
  signalling: '#8d99a6',
  position: '#4f6d8f',
  live: '#2f8fd8',
  recording: '#9bc7ee',
  playback: '#1f9d76',
  talk: '#8fd3b6',
  attachments: '#c9821a',
  sync: '#7f63c4',
  firmware: '#c2588f',
};

export const KIND_COLORS: readonly string[] = NETFLOW_KINDS.map((kind) => COLORS[kind]);
