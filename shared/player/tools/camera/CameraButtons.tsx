import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PtzDirection } from '../../../protocol/stream/controlMessages.ts';
import type { CameraLine, Movement } from './cameraLine.ts';
import { HoldButton } from './HoldButton.tsx';

interface CameraButtonsProps {
  readonly line: CameraLine;
  readonly speed: number;
  readonly onSpeed: (speed: number) => void;
}

/** Press to move, let go to stop. */
export function CameraButtons({ line, speed, onSpeed }: CameraButtonsProps): ReactElement {
  const { t } = useTranslation('Tile');
  const [isWiping, setWiping] = useState(false);
  const [isLit, setLit] = useState(false);
  const arrows: readonly (readonly [PtzDirection, string])[] = [
    ['up', t('Up')],
    ['left', t('Left')],
    ['right', t('Right')],
    ['down', t('Down')],
  ];
  const pairs: readonly (readonly [string, readonly [Movement, string], readonly [Movement, string]])[] = [
    [t('Zoom'), [{ type: 'zoom', direction: 'out' }, t('Zoom out')], [{ type: 'zoom', direction: 'in' }, t('Zoom in')]],
    [
      t('Focus'),
      [{ type: 'focus', direction: 'near' }, t('Focus near')],
      [{ type: 'focus', direction: 'far' }, t('Focus far')],
    ],
    [
      t('Iris'),
      [{ type: 'iris', direction: 'close' }, t('Close iris')],
      [{ type: 'iris', direction: 'open' }, t('Open iris')],
    ],
  ];
  return (
    <div className="tile-camera-parts">
      <div className="tile-camera-pad">
        {arrows.map(([direction, label]) => (
          <HoldButton
            key={direction}
            icon={direction}
            label={label}
            place={direction}
            line={line}
            movement={{ type: 'move', direction, speed }}
          />
        ))}
      </div>
      <div className="tile-camera-rows">
        {pairs.map(([name, [less, lessLabel], [more, moreLabel]]) => (
          <div key={name} className="tile-camera-row">
            <HoldButton icon="minus" label={lessLabel} line={line} movement={less} />
            <span>{name}</span>
            <HoldButton icon="plus" label={moreLabel} line={line} movement={more} />
          </div>
        ))}
      </div>
      <label className="tile-camera-speed">
        {t('Speed')}
        <input
          type="range"
          min={1}
          max={255}
          value={speed}
          data-own-keys="all"
          onChange={(event) => onSpeed(event.currentTarget.valueAsNumber)}
        />
      </label>
      <div className="tile-camera-switches">
        <button
          type="button"
          aria-pressed={isWiping}
          onClick={() => {
            line.switch({ type: 'wiper', on: !isWiping });
            setWiping(!isWiping);
          }}
        >
          {t('Wiper')}
        </button>
        <button
          type="button"
          aria-pressed={isLit}
          onClick={() => {
            line.switch({ type: 'infrared', on: !isLit });
            setLit(!isLit);
          }}
        >
          {t('Infrared light')}
        </button>
      </div>
    </div>
  );
}
