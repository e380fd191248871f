import { EVENT_NAMESPACES } from '../../../shared/ui/events/namespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { EventConfigPage } from './EventConfigPage.tsx';

await mountPage(<EventConfigPage />, [...FRAME_NAMESPACES, ...EVENT_NAMESPACES, 'EventConfig', 'Schedule']);
