import { type ReactElement, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlayerEngine } from '../../engine/engine.ts';
import { LineNotice, refusalText } from '../LineNotice.tsx';
import type { LineState } from '../lineState.ts';
import { useNotice } from '../useNotice.ts';
import { usePanelPlace } from '../usePanelPlace.ts';
import { CameraButtons } from './CameraButtons.tsx';
import { CameraLine } from './cameraLine.ts';
import { useArrowKeys } from './useArrowKeys.ts';

export interface CameraPanelProps {
  readonly engine: PlayerEngine;
  readonly url: string;
  readonly tile: HTMLElement;
  readonly onClose: () => void;
}

const USUAL_SPEED = 96;

/** Moves the camera while it is open. */
export function CameraPanel({ engine, url, tile, onClose }: CameraPanelProps): ReactElement {
  const { t } = useTranslation(['Tile', 'Errors']);
  const [attempt, setAttempt] = useState(0);
  const [speed, setSpeed] = useState(USUAL_SPEED);
  const notice = useNotice();
  const { line, state, failure } = useCameraLine(engine, url, attempt);
  useArrowKeys(tile, line, speed);
  useEffect(() => {
    if (failure !== undefined) notice.say(refusalText(t, failure));
  }, [failure, notice.say, t]);
  return (
    <fieldset {...usePanelPlace(tile)} className="tile-panel tile-camera tile-tools-part" aria-label={t('PTZ')}>
      {line !== undefined && state.kind === 'ready' ? (
        <CameraButtons line={line} speed={speed} onSpeed={setSpeed} />
      ) : (
        <LineNotice state={state} onRetry={() => setAttempt(attempt + 1)} />
      )}
      {notice.text !== '' && <p role="alert">{notice.text}</p>}
      <button type="button" className="tile-panel-close" onClick={onClose}>
        {t('Close')}
      </button>
    </fieldset>
  );
}

interface OpenCamera {
  readonly line: CameraLine | undefined;
  readonly state: LineState;
  /** The newest command that was not carried out. */
  readonly failure: { readonly code: string; readonly message: string } | undefined;
}

function useCameraLine(engine: PlayerEngine, url: string, attempt: number): OpenCamera {
  const [line, setLine] = useState<CameraLine>();
  const [state, setState] = useState<LineState>({ kind: 'opening' });
  const [failure, setFailure] = useState<OpenCamera['failure']>();
  // Another attempt is another line.
  const key = `${url}#${attempt}`;
  useEffect(() => {
    setState({ kind: 'opening' });
    const made = new CameraLine(engine, key.slice(0, key.lastIndexOf('#')), {
      onState: setState,
      onFailed: setFailure,
    });
    setLine(made);
    const stop = () => made.stop();
    // Whoever looks elsewhere holds no button.
    window.addEventListener('blur', stop);
    document.addEventListener('visibilitychange', stop);
    return () => {
      window.removeEventListener('blur', stop);
      document.removeEventListener('visibilitychange', stop);
      setLine(undefined);
      made.close();
    };
  }, [engine, key]);
  return { line, state, failure };
}
