import { useMemo } from 'preact/hooks';
import { DataTable } from '../../../console/ui/dataTable.tsx';
import type { Document, Section } from '../document.ts';
import { colourNames, svgChart } from '../svgChart.ts';

/** The heading of the facts. */
const FACTS = 'How it was measured';

/** A report: its contents, its sections, and the facts that hold for all of it. */
export function Report({ report: { title, facts, sections } }: { readonly report: Document }) {
  const colours = useMemo(() => colourNames(sections.flatMap(({ charts }) => charts)), [sections]);
  return (
    <>
      <h1>{title}</h1>
      <nav aria-label="Contents">
        <ul>
          {[...sections.map((section) => section.title), FACTS].map((name, n) => (
            <li key={n}>
              <a href={`#section-${n}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      {sections.map((section, n) => (
        <ReportSection key={n} id={`section-${n}`} section={section} colours={colours} />
      ))}
      <section id={`section-${sections.length}`}>
        <h2>{FACTS}</h2>
        <dl>
          {facts.map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      </section>
    </>
  );
}

interface SectionProps {
  readonly id: string;
  readonly section: Section;
  readonly colours: readonly string[];
}

function ReportSection({ id, section: { title, tables, charts, verdicts, notes }, colours }: SectionProps) {
  return (
    <section id={id}>
      <h2>{title}</h2>
      {tables.map((table, n) => (
        <DataTable key={n} {...table} />
      ))}
      {verdicts.length + notes.length > 0 && (
        <ul>
          {verdicts.map(({ isGood, text }, n) => (
            <li key={n} class={isGood ? 'good' : 'bad'}>
              {text}
            </li>
          ))}
          {notes.map((note, n) => (
            <li key={n}>{note}</li>
          ))}
        </ul>
      )}
      {charts.map((chart, n) => (
        <figure key={n} dangerouslySetInnerHTML={{ __html: svgChart(chart, colours) }} />
      ))}
    </section>
  );
}
