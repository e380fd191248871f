import type { TFunction } from 'i18next';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NoticeEvent } from '../../protocol/stream/streamMessages.ts';
import { formatDateTime } from '../playback/timeline/wallClock.ts';
import type { TileFailure, TileState } from './tileState.ts';

/** What stands over a tile's picture while there is something to say. */
export function TileOverlay({ state }: { readonly state: TileState }): ReactElement | null {
  const { t } = useTranslation(['Player', 'Errors']);
  switch (state.kind) {
    case 'idle':
    case 'playing':
      return null;
    case 'connecting':
      return <Spinner label={t('Connecting…')} />;
    case 'stalled':
      return <Spinner label={t('No video at the moment')} />;
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
