import type { TFunction } from 'i18next';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NoticeEvent } from '../../protocol/stream/streamMessages.ts';
import { formatDateTime, formatDay, formatTime } from '../playback/timeline/wallClock.ts';
import type { TileFailure, TileState } from './tileState.ts';

/** What keeps live pictures away: the device has no connection, or the server doesn't answer. */
export type TileAbsence =
  /** 0: since when isn't known. */
  { readonly kind: 'device'; readonly sinceMs: number } | { readonly kind: 'server' };

interface LiveFacts {
  readonly absence: TileAbsence | undefined;
  /** When the picture that stands was shown. */
  readonly shownAtMs: number | undefined;
}

export interface TileOverlayProps {
  readonly state: TileState;
  /** Undefined for a recording. */
  readonly live: LiveFacts | undefined;
}

/** What stands over a tile's picture while there is something to say. */
export function TileOverlay({ state, live }: TileOverlayProps): ReactElement | null {
  const { t } = useTranslation(['Player', 'Errors']);
  switch (state.kind) {
    case 'idle':
    case 'playing':
      return null;
    case 'connecting':
      if (live?.absence !== undefined)
        return <Waiting label={t('Connecting…')} words={[absenceText(live.absence, t)]} />;
      return <Spinner label={t('Connecting…')} />;
    case 'stalled':
      if (live === undefined) return <Spinner label={t('No video at the moment')} />;
      return <Waiting label={t('No video at the moment')} words={stalledWords(live, t)} />;
    case 'gap':
      return <p className="video-tile-gap">{gapText(state.untilMs, t)}</p>;
    case 'ended':
      return <p className="video-tile-notice">{t('The video has ended.')}</p>;
    case 'failed':
      return (
        <p className="video-tile-notice" role="alert">
          {failureText(state.failure, t)}
        </p>
      );
  }
}

/** Stands in a corner while pictures run that are less than what was asked for. */
export function TileLimit({ limit }: { readonly limit: NoticeEvent }): ReactElement {
  const { t } = useTranslation('Errors');
  return (
    <p className="video-tile-limit" role="status">
      {t(limit.code, { defaultValue: limit.message })}
    </p>
  );
}

/** A tile that is too small for it leaves out the second sentence. */
function CodecFailure({ codec }: { readonly codec: string }): ReactElement {
  const { t } = useTranslation('Player');
  return (
    <>
      {t("This browser can't decode {{codec}}.", { codec })}
      <span className="video-tile-help">
        {' '}
        {t('Set the camera to H.264 (Main profile), or use another computer or browser.')}
      </span>
    </>
  );
}

/** The picture below is an old one: it is dimmed, so that nobody takes it for what happens now. */
function Waiting({ label, words }: { readonly label: string; readonly words: readonly string[] }): ReactElement {
  return (
    <div className="video-tile-waiting">
      <Spinner label={label} />
      <p className="video-tile-words" role="status">
        {words.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
    </div>
  );
}

function stalledWords({ absence, shownAtMs }: LiveFacts, t: TFunction): readonly string[] {
  const reason = absence === undefined ? t('No video at the moment') : absenceText(absence, t);
  return shownAtMs === undefined ? [reason] : [reason, t('Video from {{time}}', { time: momentText(shownAtMs) })];
}

function absenceText(absence: TileAbsence, t: TFunction): string {
  if (absence.kind === 'server') return t("Can't reach the server.");
  if (absence.sinceMs === 0) return t('Offline');
  return t('Offline since {{time}}', { time: momentText(absence.sinceMs) });
}

/** The day as well, unless it is today. */
function momentText(atMs: number): string {
  return formatDay(atMs) === formatDay(Date.now()) ? formatTime(atMs) : formatDateTime(atMs);
}

function Spinner({ label }: { readonly label: string }): ReactElement {
  return <div className="video-tile-spinner" role="progressbar" aria-label={label} title={label} />;
}

function gapText(untilMs: number | null, t: TFunction): string {
  if (untilMs === null) return t('No recording here');
  return t('No recording until {{time}}', { time: formatDateTime(untilMs) });
}

function failureText(failure: TileFailure, t: TFunction): ReactNode {
  switch (failure.reason) {
    case 'refused':
      return t(failure.code, { ns: 'Errors', defaultValue: failure.message });
    case 'codec':
      return <CodecFailure codec={failure.message} />;
    case 'version':
      return t('The server has been updated. Reload the page.');
    case 'player':
      return t('The player has stopped. Reload the page.');
  }
}
