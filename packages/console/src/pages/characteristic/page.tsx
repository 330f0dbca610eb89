import { Page } from '../../design/page/page';
import { useTexts } from '../../design/language/language';
import { texts } from './texts';

export function CharacteristicPage() {
  const { title } = useTexts(texts);
  return <Page title={title} />;
}
