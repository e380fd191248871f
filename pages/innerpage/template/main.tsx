import { EVENT_NAMESPACES } from '../../../shared/ui/events/namespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { TemplatePage } from './TemplatePage.tsx';

await mountPage(<TemplatePage />, [...FRAME_NAMESPACES, ...EVENT_NAMESPACES, 'NotifyWords', 'Template']);
