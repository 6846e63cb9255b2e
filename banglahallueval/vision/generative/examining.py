"""One trial: a picture is described, and the description judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from banglahallueval.models.types import Message
from banglahallueval.text.markup import without_thinking
from banglahallueval.verdicts import CONTRADICTS
from banglahallueval.vision.asking import Asker, Pictures, message
from banglahallueval.vision.defects import has_words, is_refusal
from banglahallueval.vision.generative.naming import read_types
from banglahallueval.vision.generative.prompts import (
    TYPES_TOKENS,
    VERDICT_TOKENS,
    Describing,
    judging_prompt,
    types_prompt,
)
from banglahallueval.vision.generative.reading import (
    read_description,
    read_verdict,
    supplied_description,
)
from banglahallueval.vision.generative.types import (
    UNTYPED,
    Description,
    Judgement,
    JudgeSees,
    Trial,
    Unit,
)
from banglahallueval.vision.images import Picture, PictureError

NO_CAPTION: Final = "no caption to judge by"


class Examiner:
    """Has pictures described, and descriptions judged.

    Attributes:
        describer: Asks the model under evaluation; None where descriptions are supplied.
        judge: Asks the judge.
        unreadable: What is wrong with pictures that could not be loaded, by item.
    """

    def __init__(
        self,
        describer: Asker | None,
        judge: Asker,
        sees: JudgeSees,
        prompts: Mapping[str, Describing],
        pictures: Pictures | None,
    ) -> None:
        """Put everything together.

        Args:
            describer: Asks the model under evaluation; None where descriptions are supplied.
            judge: Asks the judge.
            sees: What the judge sees beside a description.
            prompts: The describing prompts by name.
            pictures: Loads pictures; None where nobody is shown one.
        """
        self.describer = describer
        self.judge = judge
        self.unreadable: dict[int, str] = {}
        self._sees = sees
        self._prompts = prompts
        self._pictures = pictures

    async def examine(self, unit: Unit, *, again: int = 0, before: Trial | None = None) -> Trial:
        """Describe and judge.

        Args:
            unit: What is described.
            again: How often it was asked in earlier runs.
            before: What an earlier run came to; only what it left open is asked again.

        Raises:
            RunError: If the run cannot go on.
        """
        trial = _begun(unit, before)
        if self._shows_picture(unit, trial):
            assert self._pictures is not None
            try:
                picture = await self._pictures.load(unit.item)
            except PictureError as error:
                self.unreadable.setdefault(unit.item.index, str(error))
                return _without_picture(trial, error)
            if trial.image_sha256 not in ("", picture.sha256):
                trial = _begun(unit, None)  # another picture was described
            trial = replace(trial, image_sha256=picture.sha256, image_conversion=picture.conversion)
            if unit.supplied is None and not trial.description.text:
                description = await self._describe(unit.prompt, picture, again)
                trial = replace(trial, description=description)
        else:
            picture = None
        if not trial.description.text:
            return replace(trial, judgement=Judgement("undescribed", trial.description.reason))
        shown = picture if self._sees != "captions" else None
        return replace(trial, judgement=await self._judge(trial, shown, again))

    def _shows_picture(self, unit: Unit, trial: Trial) -> bool:
        """Whether anybody is to be shown the picture."""
        if trial.description.text:
            return self._sees != "captions"
        return unit.supplied is None

    async def _describe(self, prompt: str, picture: Picture, again: int) -> Description:
        assert self.describer is not None
        describing = self._prompts[prompt]
        wording = describing.wording
        found = await self.describer.ask(wording.text, picture, tokens=wording.tokens, again=again)
        if found.reply is None:
            return Description("", found.reason)
        return read_description(found.reply, labelled=describing.is_labelled)

    async def _judge(self, trial: Trial, picture: Picture | None, again: int) -> Judgement:
        """Ask whether the description hallucinates, and if so how."""
        caption, before = trial.item.caption, trial.judgement
        if self._sees == "captions" and (not has_words(caption) or is_refusal(caption)):
            return Judgement("unjudged", NO_CAPTION)
        prompt = judging_prompt(self._sees, trial.description.text, caption)
        asked = message(prompt, picture)
        if before.outcome == "hallucinated":
            return await self._types(asked, before.first, again)
        found = await self.judge.send((asked,), tokens=VERDICT_TOKENS, again=again)
        if found.reply is None:
            return Judgement("unjudged", found.reason)
        hallucinates, reason = read_verdict(found.reply, shown=picture is not None)
        if hallucinates is None:
            return Judgement("unjudged", reason, first=found.text)
        if not hallucinates:
            return Judgement("clean", first=found.text)
        return await self._types(asked, found.text, again)

    async def _types(self, asked: Message, first: str, again: int) -> Judgement:
        """Ask for the types, going on behind the judge's yes."""
        said = (without_thinking(first) or first).strip()
        chat = (asked, Message("assistant", said), Message("user", types_prompt()))
        found = await self.judge.send(chat, tokens=TYPES_TOKENS, again=again)
        if found.reply is None:
            return Judgement("hallucinated", f"{UNTYPED}{found.reason}", first=first)
        types, reason = read_types(found.reply)
        if reason == CONTRADICTS:
            return Judgement("unjudged", reason, first=first, second=found.text)
        if reason:
            return Judgement("hallucinated", f"{UNTYPED}{reason}", first=first, second=found.text)
        return Judgement("hallucinated", "", types, first, found.text)


def _begun(unit: Unit, before: Trial | None) -> Trial:
    """Take what there is of a trial: a supplied description, or what an earlier run kept."""
    judgement = before.judgement if before else Judgement("undescribed")
    if unit.supplied is not None:
        return Trial(unit.item, unit.prompt, supplied_description(unit.supplied), judgement)
    if before is not None and before.description.text:
        return before
    return Trial(unit.item, unit.prompt, Description(""), Judgement("undescribed"))


def _without_picture(trial: Trial, error: PictureError) -> Trial:
    """Settle a trial whose picture nobody can be shown."""
    if trial.description.text:
        return replace(trial, judgement=Judgement("unjudged", error.reason))
    return replace(
        trial,
        description=replace(trial.description, reason=error.reason),
        judgement=Judgement("undescribed", error.reason),
    )
