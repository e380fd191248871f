import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TileToolsProps } from '../tile/tileToolOptions.ts';
import type { TileCommand } from './keys.ts';
import { ToolButton } from './ToolButton.tsx';
import { Toolbar } from './Toolbar.tsx';
import type { Panel } from './tileCommands.ts';

interface ToolRowProps {
  readonly props: TileToolsProps;
  readonly panel: Panel | undefined;
  readonly isShown: boolean;
  readonly run: (command: TileCommand) => boolean;
  /** The menu at its end. */
  readonly children: ReactNode;
}

/** What is needed every day. */
export function ToolRow({ props, panel, isShown, run, children }: ToolRowProps): ReactElement {
  const { sound, options, enlarge } = props;
  const { t } = useTranslation('Tile');
  return (
    <Toolbar label={t('Tools')} isShown={isShown}>
      <ToolButton
        icon={sound.isOn ? 'sound' : 'silence'}
        label={t('Sound')}
        shortcut="M"
        isOn={sound.isOn}
        onUse={() => run('sound')}
      />
      <ToolButton icon="snapshot" label={t('Take snapshot')} shortcut="S" onUse={() => run('snapshot')} />
      {options.talkUrl !== undefined && (
        <ToolButton icon="talk" label={t('Talk')} shortcut="T" isOn={panel === 'talk'} onUse={() => run('talk')} />
      )}
      {options.ptzUrl !== undefined && (
        <ToolButton icon="camera" label={t('PTZ')} shortcut="C" isOn={panel === 'camera'} onUse={() => run('camera')} />
      )}
      {enlarge !== undefined && (
        <ToolButton
          icon={enlarge.isEnlarged ? 'shrink' : 'enlarge'}
          label={enlarge.isEnlarged ? t('All channels') : t('Enlarge')}
          shortcut="E"
          onUse={enlarge.toggle}
        />
      )}
      <ToolButton icon="fullscreen" label={t('Full screen')} shortcut="F" onUse={() => run('fullscreen')} />
      {children}
    </Toolbar>
  );
}
