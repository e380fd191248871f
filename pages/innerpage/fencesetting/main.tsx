import { EVENT_NAMESPACES } from '../../../shared/ui/events/namespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { FenceSettingPage } from './FenceSettingPage.tsx';

await mountPage(<FenceSettingPage />, [...FRAME_NAMESPACES, ...EVENT_NAMESPACES, 'FenceSetting', 'Map', 'Schedule']);
