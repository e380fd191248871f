import './tileTools.css';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TileToolsProps } from '../tile/tileToolOptions.ts';
import { CameraPanel } from './camera/CameraPanel.tsx';
import { Icon } from './icons.tsx';
import type { TileCommand } from './keys.ts';
import { MoreMenu } from './MoreMenu.tsx';
import { StatisticsOverlay } from './StatisticsOverlay.tsx';
import { ToolRow } from './ToolRow.tsx';
import { TalkPanel } from './talk/TalkPanel.tsx';
import { type CommandContext, enlargeSmall, type Panel, runCommand } from './tileCommands.ts';
import { useKeys } from './useKeys.ts';
import { useNotice } from './useNotice.ts';
import { usePictureInPicture } from './usePictureInPicture.ts';
import { useShown } from './useShown.ts';
import { useZoom, type Zoom } from './useZoom.ts';

/** What can be done with one video, over its picture. */
export function TileTools(props: TileToolsProps): ReactElement {
  const { tile, player, engine, quality, options, enlarge, isCovered } = props;
  const { t } = useTranslation('Tile');
  const [panel, setPanel] = useState<Panel | undefined>(options.opensTalk === true ? 'talk' : undefined);
  const [hasStatistics, setStatistics] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const zoom = useZoom(tile, player);
  const notice = useNotice();
  const pictureInPicture = usePictureInPicture(player);
  const isHeld = isMenuOpen || panel !== undefined;
  const isShown = useShown(tile, { isHeld, isDragging: zoom.isDragging, onSmallTap: () => enlargeSmall(props) });
  useEffect(() => {
    if (isCovered) setPanel(undefined);
  }, [isCovered]);
  const context: CommandContext = {
    props,
    zoom,
    panel,
    setPanel,
    toggleStatistics: () => setStatistics(!hasStatistics),
    onSnapshot: (name) => {
      notice.say(name === undefined ? t('No video yet.') : t('Snapshot saved as {{name}}.', { name }));
    },
  };
  const run = (command: TileCommand) => runCommand(command, context);
  useKeys(tile, run, enlarge?.isEnlarged === true || panel !== undefined);
  const close = () => setPanel(undefined);
  return (
    <div className="tile-tools">
      {hasStatistics && <StatisticsOverlay player={player} usageOf={options.hasUsage ? options.deviceid : undefined} />}
      {zoom.isZoomed && <ZoomMark zoom={zoom} />}
      {panel === 'camera' && options.ptzUrl !== undefined && (
        <CameraPanel engine={engine} url={options.ptzUrl} tile={tile} onClose={close} />
      )}
      {panel === 'talk' && options.talkUrl !== undefined && (
        <TalkPanel engine={engine} player={player} tile={tile} url={options.talkUrl} onClose={close} />
      )}
      <p className="tile-status" role="status">
        {quality.isSwitching && quality.choice !== 'auto' ? t('Changing quality…') : notice.text}
        {quality.hasFailed && t("This quality isn't available.")}
      </p>
      <ToolRow props={props} panel={panel} isShown={isShown} run={run}>
        <MoreMenu
          player={player}
          quality={quality}
          zoom={zoom}
          pictureInPicture={pictureInPicture}
          hasStatistics={hasStatistics}
          run={run}
          hasQualities={options.hasQualities === true}
          onOpen={setMenuOpen}
        />
      </ToolRow>
    </div>
  );
}

/** Says all the time that something is cut off, and undoes it. */
function ZoomMark({ zoom }: { readonly zoom: Zoom }): ReactElement {
  const { t } = useTranslation('Tile');
  return (
    <button
      type="button"
      className="tile-zoom tile-tools-part"
      aria-label={t('Reset zoom')}
      title={`${t('Reset zoom')} (0)`}
      onClick={zoom.reset}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {`${zoom.scale.toFixed(1)}×`} <Icon name="close" />
    </button>
  );
}
