import '../videoTile.css';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

export interface LostTileProps {
  readonly channel: number;
  readonly vehicle: string;
  /** Another tile stands in its place. */
  readonly isCovered: boolean;
}

/** A channel whose camera gives no picture, as its terminal reports. No stream is opened for it. */
export function LostTile({ channel, vehicle, isCovered }: LostTileProps): ReactElement {
  const { t } = useTranslation('Player');
  const name = t('Channel {{channel}}', { channel });
  return (
    <section className="video-tile video-tile-lost" aria-label={name} hidden={isCovered}>
      <p className="video-tile-words">
        <strong>{name}</strong>
        <span>{t('Video loss. Check the camera and its cable.')}</span>
      </p>
      <p className="video-tile-names">
        <span className="video-tile-vehicle">{vehicle}</span>
      </p>
    </section>
  );
}
