import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { QualityState, TilePlayer } from '../tile/tilePlayer.ts';
import type { TileCommand } from './keys.ts';
import { MenuItem, ToolMenu } from './ToolMenu.tsx';
import type { PictureInPicture } from './usePictureInPicture.ts';
import type { Zoom } from './useZoom.ts';

interface MoreMenuProps {
  readonly player: TilePlayer;
  readonly quality: QualityState;
  readonly hasQualities: boolean;
  readonly zoom: Zoom;
  readonly pictureInPicture: PictureInPicture | undefined;
  readonly hasStatistics: boolean;
  readonly run: (command: TileCommand) => boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** What is not needed every day. */
export function MoreMenu(props: MoreMenuProps): ReactElement {
  const { player, quality, hasQualities, zoom, pictureInPicture, hasStatistics, run, onOpen } = props;
  const { t } = useTranslation('Tile');
  const auto = quality.running === 'main' ? t('Automatic (high)') : t('Automatic (low)');
  const choices = [
    ['auto', auto],
    ['main', t('High quality')],
    ['sub', t('Low quality')],
  ] as const;
  return (
    <ToolMenu label={t('More')} onOpen={onOpen}>
      {hasQualities &&
        choices.map(([choice, label]) => (
          <MenuItem
            key={choice}
            label={label}
            isOneOfSeveral
            isChecked={quality.choice === choice}
            onUse={() => player.setQuality(choice)}
          />
        ))}
      {hasQualities && <hr />}
      <MenuItem label={t('Digital zoom in')} shortcut="+" onUse={() => run('zoom-in')} />
      <MenuItem label={t('Digital zoom out')} shortcut="-" isDisabled={!zoom.isZoomed} onUse={() => run('zoom-out')} />
      <MenuItem label={t('Reset zoom')} shortcut="0" isDisabled={!zoom.isZoomed} onUse={() => run('zoom-reset')} />
      <hr />
      {pictureInPicture !== undefined && (
        <MenuItem
          label={t('Picture in picture')}
          isChecked={pictureInPicture.isOn}
          onUse={() => void pictureInPicture.toggle()}
        />
      )}
      <MenuItem label={t('Statistics')} shortcut="I" isChecked={hasStatistics} onUse={() => run('statistics')} />
    </ToolMenu>
  );
}
