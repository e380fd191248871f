import { type ReactElement, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '../../ui/files/bytesText.ts';
import type { TilePlayer } from '../tile/tilePlayer.ts';
import { type StatisticsReading, type StatisticsText, statisticsText } from './statistics.ts';
import { useUsedToday } from './useUsedToday.ts';

const EVERY_MS = 1_000;

export interface StatisticsOverlayProps {
  readonly player: TilePlayer;
  /** The device whose data usage of today is shown too, to viewers who may see it. */
  readonly usageOf: string | undefined;
}

/** Figures of one stream, once a second. */
export function StatisticsOverlay({ player, usageOf }: StatisticsOverlayProps): ReactElement {
  const { t } = useTranslation('Tile');
  const text = useStatistics(player);
  const usedToday = useUsedToday(usageOf);
  const unknown = '–';
  const latency =
    text.latency?.kind === 'clock'
      ? t('device clock off by {{seconds}} s', { seconds: signed(text.latency.seconds) })
      : text.latency && `${text.latency.ms} ms`;
  const rows: readonly (readonly [string, string])[] = [
    [t('Codec'), text.codec ?? unknown],
    [t('Resolution'), text.size ?? unknown],
    [t('Frame rate'), text.framesPerSecond ?? unknown],
    [t('Bit rate'), text.bitRate ?? unknown],
    [t('Latency'), latency ?? unknown],
    [t('Buffer'), `${text.delayMs} ms`],
    [t('Decode time'), `${text.decodeMs} ms`],
    [t('Decoded'), String(text.decoded)],
    [t('Dropped'), String(text.dropped)],
    [t('Gaps'), String(text.gaps)],
    [t('Reconnections'), String(text.reconnects)],
    ...(usedToday === undefined ? [] : [[t('Data used today'), bytesText(usedToday) || '0 B'] as const]),
  ];
  return (
    <dl className="tile-statistics tile-tools-part" aria-label={t('Statistics')}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function useStatistics(player: TilePlayer): StatisticsText {
  const [text, setText] = useState(() => statisticsText(readingOf(player), undefined));
  useEffect(() => {
    let before = readingOf(player);
    const timer = setInterval(() => {
      const now = readingOf(player);
      setText(statisticsText(now, before));
      before = now;
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [player]);
  return text;
}

function readingOf(player: TilePlayer): StatisticsReading {
  return { ...player.statistics(), atMs: performance.now() };
}

function signed(seconds: number): string {
  return seconds > 0 ? `+${seconds}` : String(seconds);
}
