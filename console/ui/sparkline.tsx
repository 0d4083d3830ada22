/** A small line of numbers. @param values at equal distances, at least two */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...values);
  const points = values.map((value, n) => `${(n / (values.length - 1)) * 100},${22 - (value / most) * 15}`);
  return (
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={`M0,24L${points.join('L')}L100,24`} stroke="none" />
      <path d={`M${points.join('L')}`} fill="none" vector-effect="non-scaling-stroke" />
    </svg>
  );
}
