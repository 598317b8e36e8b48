// Commitments count their measures (one is blank only where a body could leave it so).
import { fillAncestorType } from './hangs-on.ts';
import { member, type Rules, type Writing } from './rule.ts';

const MEASURES = [1, 2, 3, 4, 5];

export const commitmentRules: Rules = {
  async prepare(writing) {
    await fillAncestorType(writing);
    const { values } = writing;
    values.MeasuresCompleted = MEASURES.filter(
      (number) => member(writing, `Measure${number}Completed`) === true,
    ).length;
    values.MeasuresTotal = MEASURES.filter((number) => isSet(writing, number)).length;
  },
};

const isSet = (writing: Writing, number: number): boolean => member(writing, `Measure${number}`) !== null;
