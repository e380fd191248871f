import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceQuery } from '../../../api/devices/device.ts';
import { errorText } from '../../../i18n/errorText.ts';
import { downloadFrom } from '../../../ui/files/browserDownload.ts';
import { parseDateTime } from '../parseDateTime.ts';
import type { PlaybackController } from '../playbackController.ts';
import type { RangeStore } from '../timeline/rangeStore.ts';
import type { TimeRange } from '../timeline/ranges.ts';
import { formatDateTime } from '../timeline/wallClock.ts';
import { usePlaybackState } from '../useSession.ts';
import { EvidenceSection } from './EvidenceSection.tsx';
import { ExportJob, type FollowedExport, isUnderWay } from './exportJob.ts';

export interface ExportDialogProps {
  readonly source: DeviceQuery;
  readonly session: PlaybackController;
  readonly ranges: RangeStore;
  /** Channels that may be exported. */
  readonly channels: readonly number[];
  /** The range that is offered at first; otherwise a minute from the session's position. */
  readonly range?: TimeRange | undefined;
  readonly onClose: () => void;
}

/** `starting`: the server has not reported on the export yet. */
type ShownExport = FollowedExport | { readonly state: 'starting' };

const MINUTE_MS = 60_000;
/** The longest range that the gateway exports at once. */
const LONGEST_MS = 1_440 * MINUTE_MS;

/** Selects a range and channels, has the browser download them, and shows the progress; or holds them as evidence. */
export function ExportDialog({ source, session, ranges, channels, range, onClose }: ExportDialogProps): ReactElement {
  // `Errors` is listed so that the text is made again once it has arrived.
  const { t } = useTranslation(['Playback', 'Errors']);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const startMs = useRef(range?.fromMs ?? session.positionMs() ?? Date.now()).current;
  const [from, setFrom] = useState(() => formatDateTime(startMs));
  const [to, setTo] = useState(() => formatDateTime(range?.toMs ?? startMs + MINUTE_MS));
  const [chosen, setChosen] = useState<readonly number[]>(channels);
  const [state, setState] = useState<ShownExport>();
  const [isEmpty, setEmpty] = useState(false);
  const job = useRef<ExportJob>(undefined);
  // An export needs the access that the streams have lost. The server ends a running export and says why.
  const { isRefused } = usePlaybackState(session);
  useEffect(() => {
    dialog.current?.showModal();
    return () => job.current?.close();
  }, []);
  const fromMs = parseDateTime(from, startMs);
  const toMs = parseDateTime(to, startMs);
  const isRange = fromMs !== undefined && toMs !== undefined && toMs > fromMs && toMs - fromMs <= LONGEST_MS;
  const isBusy = state !== undefined && (state.state === 'starting' || isUnderWay(state));
  const start = async (event: FormEvent) => {
    event.preventDefault();
    if (fromMs === undefined || toMs === undefined || !isRange || chosen.length === 0) return;
    const chosenRange = { fromMs, toMs };
    const hasAny = await ranges.hasAny(chosen, chosenRange);
    setEmpty(!hasAny);
    if (!hasAny) return;
    setState({ state: 'starting' });
    job.current = new ExportJob(source, setState);
    // The job reports a refusal, and an export that was canceled while it waited.
    downloadFrom(job.current.start(chosen, chosenRange));
  };
  return (
    <dialog ref={dialog} className="playback-export" aria-labelledby={titleId} onClose={onClose}>
      <form onSubmit={(event) => void start(event)}>
        <h2 id={titleId}>{t('Export')}</h2>
        <TimestampField label={t('Start')} value={from} isWrong={fromMs === undefined} onChange={setFrom} />
        <TimestampField label={t('End')} value={to} isWrong={!isRange} onChange={setTo} />
        <ChannelChoice channels={channels} chosen={chosen} onChange={setChosen} />
        <p className="playback-export-state" role="status">
          {isEmpty ? t('No recordings in this range.') : stateText(state, t)}
        </p>
        {/* Without a value it shows that nothing is known yet. Unseen, it keeps its place: the buttons stay where they are. */}
        <progress
          value={state?.state === 'running' ? state.share : undefined}
          aria-label={t('Export')}
          style={{ visibility: isBusy ? 'visible' : 'hidden' }}
        />
        <div className="playback-export-buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('Close')}
          </button>
          {isBusy ? (
            <button type="button" onClick={() => job.current?.cancel()}>
              {t('Cancel export')}
            </button>
          ) : (
            <button type="submit" disabled={isRefused || !isRange || chosen.length === 0}>
              {t('Start export')}
            </button>
          )}
        </div>
      </form>
      <EvidenceSection deviceid={source.deviceid} channels={chosen} range={isRange ? { fromMs, toMs } : undefined} />
    </dialog>
  );
}

function stateText(state: ShownExport | undefined, t: (key: string) => string): string | undefined {
  switch (state?.state) {
    case undefined:
      return '';
    case 'starting':
      return t('Starting the export…');
    case 'waiting':
      return t('Waiting for other exports…');
    case 'running':
      return t('Downloading…');
    case 'done':
      return t('Export complete.');
    case 'failed':
      return t('Export failed. Try again.');
    case 'stalled':
      return t('The download stalled, so the export has stopped. Start it again.');
    case 'refused':
      return errorText(state.failure);
    case 'cancelled':
      return t('Export canceled.');
  }
}

interface TimestampFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}

function TimestampField({ label, value, isWrong, onChange }: TimestampFieldProps): ReactElement {
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
