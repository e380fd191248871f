import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceQuery } from '../../api/device.ts';
import { errorText } from '../../i18n/errorText.ts';
import { EvidenceSection } from './EvidenceSection.tsx';
import { ExportJob, type FollowedExport, isUnderWay } from './exportJob.ts';
import type { PlaybackSession } from './playbackSession.ts';
import type { RangeStore } from './rangeStore.ts';
import { readMoment } from './readMoment.ts';
import { formatDateTime } from './wallClock.ts';

export interface ExportDialogProps {
  readonly source: DeviceQuery;
  readonly session: PlaybackSession;
  readonly ranges: RangeStore;
  /** Those that may be exported. */
  readonly channels: readonly number[];
  readonly onClose: () => void;
}

const MINUTE_MS = 60_000;
/** What the gateway takes at once. */
const LONGEST_MS = 1_440 * MINUTE_MS;

/** Chooses a stretch and channels, has the browser download them, and shows how far that is; or holds them as evidence. */
export function ExportDialog({ source, session, ranges, channels, onClose }: ExportDialogProps): ReactElement {
  // Errors is named for its arrival: the text is then made anew.
  const { t } = useTranslation(['Playback', 'Errors']);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const startMs = useRef(session.positionMs() ?? Date.now()).current;
  const [from, setFrom] = useState(() => formatDateTime(startMs));
  const [to, setTo] = useState(() => formatDateTime(startMs + MINUTE_MS));
  const [chosen, setChosen] = useState<readonly number[]>(channels);
  const [state, setState] = useState<FollowedExport>();
  const [isEmpty, setEmpty] = useState(false);
  const job = useRef<ExportJob>(undefined);
  useEffect(() => {
    dialog.current?.showModal();
    return () => job.current?.close();
  }, []);
  const fromMs = readMoment(from, startMs);
  const toMs = readMoment(to, startMs);
  const isRange = fromMs !== undefined && toMs !== undefined && toMs > fromMs && toMs - fromMs <= LONGEST_MS;
  const isBusy = state !== undefined && isUnderWay(state);
  const start = async (event: FormEvent) => {
    event.preventDefault();
    if (fromMs === undefined || toMs === undefined || !isRange || chosen.length === 0) return;
    const range = { fromMs, toMs };
    const hasAny = await ranges.hasAny(chosen, range);
    setEmpty(!hasAny);
    if (!hasAny) return;
    setState({ state: 'running', share: 0 });
    job.current = new ExportJob(source, setState);
    download(job.current.start(chosen, range));
  };
  return (
    <dialog ref={dialog} className="playback-export" aria-labelledby={titleId} onClose={onClose}>
      <form onSubmit={(event) => void start(event)}>
        <h2 id={titleId}>{t('Export')}</h2>
        <Moment label={t('From')} value={from} isWrong={fromMs === undefined} onChange={setFrom} />
        <Moment label={t('To')} value={to} isWrong={!isRange} onChange={setTo} />
        <ChannelChoice channels={channels} chosen={chosen} onChange={setChosen} />
        <p className="playback-export-state" role="status">
          {isEmpty ? t('Nothing was recorded in this range') : stateText(state, t)}
        </p>
        {/* Without a value it shows that nothing is known yet. */}
        {state?.state === 'waiting' && <progress aria-label={t('Export')} />}
        {state?.state === 'running' && <progress value={state.share} aria-label={t('Export')} />}
        <div className="playback-export-buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('Close')}
          </button>
          {isBusy ? (
            <button type="button" onClick={() => job.current?.cancel()}>
              {t('Cancel export')}
            </button>
          ) : (
            <button type="submit" disabled={!isRange || chosen.length === 0}>
              {t('Start export')}
            </button>
          )}
        </div>
      </form>
      <EvidenceSection deviceid={source.deviceid} channels={chosen} range={isRange ? { fromMs, toMs } : undefined} />
    </dialog>
  );
}

function stateText(state: FollowedExport | undefined, t: (key: string) => string): string | undefined {
  switch (state?.state) {
    case undefined:
      return '';
    case 'waiting':
      return t('Waiting for other exports…');
    case 'running':
      return t('The download is running');
    case 'done':
      return t('The export is complete');
    case 'failed':
      return t('The export did not succeed');
    case 'stalled':
      return t('The download stalled, so the export was ended. Start it again.');
    case 'refused':
      return errorText(state.failure);
    case 'cancelled':
      return t('The export was canceled');
  }
}

interface MomentProps {
  readonly label: string;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}

function Moment({ label, value, isWrong, onChange }: MomentProps): ReactElement {
  return (
    <label className="playback-export-field">
      <span>{label}</span>
      <input
        type="text"
        className="playback-position"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isWrong}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

interface ChannelChoiceProps {
  readonly channels: readonly number[];
  readonly chosen: readonly number[];
  readonly onChange: (chosen: readonly number[]) => void;
}

function ChannelChoice({ channels, chosen, onChange }: ChannelChoiceProps): ReactElement {
  const { t } = useTranslation('Playback');
  const toggle = (channel: number) => onChange(channels.filter((each) => (each === channel) !== chosen.includes(each)));
  return (
    <fieldset>
      <legend>{t('Channels')}</legend>
      {channels.map((channel) => (
        <label key={channel}>
          <input type="checkbox" checked={chosen.includes(channel)} onChange={() => toggle(channel)} />
          {`ch ${channel}`}
        </label>
      ))}
    </fieldset>
  );
}

/** The browser's own download: it streams to the disk and survives the dialog. */
function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
