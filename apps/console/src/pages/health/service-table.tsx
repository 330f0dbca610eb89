import type { Health } from '@sinebar/client';
import { useLanguage, useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import table from '../../design/tables/table.module.css';
import { germanCheckName, germanReason } from './german-health';
import { texts } from './texts';

/** Services and stores of the server, each with its state and the reason for it; what has no German words stays in English. */
export function ServiceTable({ services }: { services: NonNullable<Health['details']> }) {
  const t = useTexts(texts);
  const isGerman = useLanguage() === 'de';
  return (
    <table className={`${table.data} ${table.sentences}`} aria-label={t.services}>
      <thead>
        <tr>
          <td className={table.glyph} />
          <th scope="col">{t.service}</th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.reason}</th>
        </tr>
      </thead>
      <tbody>
        {services.map(({ name, status, detail }, index) => {
          const isHealthy = status === 'Healthy';
          const germanName = isGerman ? germanCheckName(name) : undefined;
          const german = isGerman ? germanReason(detail) : undefined;
          return (
            // Two services may report the same dependency, such as the message bus.
            <tr key={index}>
              <td className={table.glyph}>
                <Glyph name={isHealthy ? 'inLimits' : 'outOfTolerance'} label="" />
              </td>
              <th scope="row" lang={germanName === undefined ? 'en' : undefined}>
                {germanName ?? name}
              </th>
              <td className={isHealthy ? table.soft : table.outOfTolerance}>{isHealthy ? t.works : t.fails}</td>
              <td className={table.soft} lang={german === undefined ? 'en' : undefined}>
                {german ?? detail}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
