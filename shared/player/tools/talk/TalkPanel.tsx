import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlayerEngine } from '../../engine/engine.ts';
import type { TilePlayer } from '../../tile/tilePlayer.ts';
import { Icon } from '../icons.tsx';
import { LineNotice } from '../LineNotice.tsx';
import { usePanelPlace } from '../usePanelPlace.ts';
import { interrupted, OFF, pressed, released, type TalkButton } from './pressToTalk.ts';
import { TalkLine, type TalkState } from './talkLine.ts';

export interface TalkPanelProps {
  readonly engine: PlayerEngine;
  readonly url: string;
  readonly player: TilePlayer;
  readonly tile: HTMLElement;
  readonly onClose: () => void;
}

/** A line to the vehicle's loudspeaker while it is open. */
export function TalkPanel({ engine, url, player, tile, onClose }: TalkPanelProps): ReactElement {
  const { t } = useTranslation('Tile');
  const [attempt, setAttempt] = useState(0);
  const meter = useRef<HTMLDivElement>(null);
  const { line, state } = useTalkLine({ engine, url, attempt }, meter);
  useOwnSoundOff(player);
  const retry = () => setAttempt(attempt + 1);
  return (
    <fieldset {...usePanelPlace(tile)} className="tile-panel tile-talk tile-tools-part" aria-label={t('Talk')}>
      {state.kind === 'microphone' && <MicrophoneTrouble trouble={state.trouble} onRetry={retry} />}
      {state.kind !== 'microphone' && state.kind !== 'ready' && <LineNotice state={state} onRetry={retry} />}
      {state.kind === 'ready' && line !== undefined && <TalkButtonView line={line} />}
      <div className="tile-talk-level" hidden={state.kind !== 'ready'}>
        <div ref={meter} />
      </div>
      <button type="button" className="tile-panel-close" onClick={onClose}>
        {t('End talk')}
      </button>
    </fieldset>
  );
}

function TalkButtonView({ line }: { readonly line: TalkLine }): ReactElement {
  const { t } = useTranslation('Tile');
  const [button, setButton] = useState<TalkButton>(OFF);
  const isOn = button.kind !== 'off';
  useEffect(() => line.setSpeaking(isOn), [line, isOn]);
  const press = () => setButton((was) => pressed(was, performance.now()));
  const release = () => setButton((was) => released(was, performance.now()));
  const interrupt = () => setButton(interrupted);
  return (
    <button
      type="button"
      className="tile-talk-button"
      aria-pressed={isOn}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press();
      }}
      onPointerUp={release}
      onPointerCancel={interrupt}
      onLostPointerCapture={(event) => event.target === event.currentTarget && interrupt()}
      onBlur={interrupt}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        if (!event.repeat) press();
      }}
      onKeyUp={(event) => (event.key === 'Enter' || event.key === ' ') && release()}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name="talk" />
      {isOn ? t('Speaking') : t('Hold to talk, or press once')}
    </button>
  );
}

function MicrophoneTrouble({
  trouble,
  onRetry,
}: {
  readonly trouble: (TalkState & { readonly kind: 'microphone' })['trouble'];
  readonly onRetry: () => void;
}): ReactElement {
  const { t } = useTranslation('Tile');
  const texts = {
    missing: t('No microphone found. Connect one and try again.'),
    denied: t('The browser blocks the microphone. Allow this page to use it, then try again.'),
    busy: t('Another program is using the microphone. Close it and try again.'),
  };
  return (
    <p role="alert">
      {texts[trouble]}{' '}
      <button type="button" className="tile-panel-retry" onClick={onRetry}>
        {t('Try again')}
      </button>
    </p>
  );
}

interface TalkRequest {
  readonly engine: PlayerEngine;
  readonly url: string;
  readonly attempt: number;
}

function useTalkLine({ engine, url, attempt }: TalkRequest, meter: React.RefObject<HTMLDivElement | null>) {
  const [line, setLine] = useState<TalkLine>();
  const [state, setState] = useState<TalkState>({ kind: 'opening' });
  // Another attempt is another line.
  const key = `${url}#${attempt}`;
  useEffect(() => {
    setState({ kind: 'opening' });
    const made = new TalkLine(engine, key.slice(0, key.lastIndexOf('#')), {
      onState: setState,
      // Past React: it moves many times a second.
      onLevel: (level) => meter.current?.style.setProperty('transform', `scaleX(${level.toFixed(3)})`),
    });
    setLine(made);
    return () => {
      setLine(undefined);
      made.close();
    };
  }, [engine, key, meter]);
  return { line, state };
}

/** The vehicle's microphone is heard on the line: twice would be an echo. */
function useOwnSoundOff(player: TilePlayer): void {
  useEffect(() => {
    const wasOn = player.sound.isOn;
    if (!wasOn) return;
    player.setSound(false);
    return () => player.setSound(true);
  }, [player]);
}
