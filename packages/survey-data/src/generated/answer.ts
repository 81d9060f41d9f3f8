import { type Option, QUESTIONS, type Question, WORDS_OF_CUSTOMERS } from "./catalog.ts";
import type { Random } from "./random.ts";

/** The fields of one customer's answer, in the API's names. */
export function answerFields(random: Random): Record<string, unknown> {
  const question = random.chance(0.5) ? firstQuestion() : random.pick(QUESTIONS);
  const asked = { question_id: question.id, question: question.prompt, question_type: question.type };
  return { ...asked, ...choice(question, random), ...referringFields(question) };
}

/** The fields of an answer that was since sorted into another category. */
export function recategorized(fields: Record<string, unknown>, random: Random): Record<string, unknown> {
  const others = firstQuestion().options.filter((option) => option.value !== fields["response"]);
  return {
    ...fields,
    response: random.pick(others).value,
    original_response: fields["response"] ?? fields["other_response"],
  };
}

function choice(question: Question, random: Random): Record<string, unknown> {
  if (question.options.length === 0) return { other: false, other_response: random.pick(WORDS_OF_CUSTOMERS) };
  if (question.allowOther && random.chance(0.08)) {
    return { response: "Other", other: true, other_response: random.pick(WORDS_OF_CUSTOMERS) };
  }
  // Squared, so that the first options are the popular ones.
  const position = Math.floor(random.fraction() ** 2 * question.options.length);
  const option = question.options[position] as Option;
  return { response: option.value, response_id: option.id, response_position: position + 1, other: false };
}

function referringFields(question: Question): Record<string, unknown> {
  const referring = QUESTIONS.find((candidate) => candidate.id === question.referring?.question);
  if (!referring) return { clarification_question: false };
  const option = referring.options.find((candidate) => candidate.id === question.referring?.option);
  return {
    clarification_question: true,
    referring_question: referring.prompt,
    referring_question_id: referring.id,
    referring_question_response: option?.value,
    referring_question_response_id: option?.id,
  };
}

function firstQuestion(): Question {
  return QUESTIONS[0] as Question;
}
