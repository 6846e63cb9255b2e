"""How English says that one does not know: rules for `text.word_grammar`.

Contractions are written out: `do not`, `can not`, `i am`. `abstains` is a clause that says so,
`beside` one that says nothing by itself, `refuses` one that turns the request down.
"""

from __future__ import annotations

from typing import Final

RULES: Final = """
leads_on = but|however|though|although|yet|except|maybe|probably|perhaps|possibly|likely|guess|think
    |believe|suppose|assume|presumably|apparently|so|therefore|still|instead|rather
adverbs = (really|honestly|simply|just|still|currently|actually|unfortunately|truly|personally
    |definitely|absolutely|completely|entirely|quite|at all|fully|exactly|explicitly|directly
    |clearly|specifically|reliably|confidently|accurately|definitively|possibly|even|now|sadly
    |regrettably|yet|very|too|totally|conclusively|certainly|precisely)*
i = (i|we)
is = (is|was|are|were|remains|seems|has been|have been)
wh = (who|whom|whose|what|when|where|which|why|how|whether)
about = (about|of|on|in|regarding|concerning|as to|for|with)

source = (the|this|that|these|those|your|my|any|above|given|provided|supplied|present|available
    |following|current|short|whole|actual|reading|included|limited)*
    (passage|text|context|paragraph|article|document|excerpt|story|question|prompt|information|info
    |data|source|sources|material|content|details|evidence|options|choices|sentence|description
    |snippet|knowledge)
    (provided|given|above|here|available|alone|supplied|i have|you (gave|provided)|itself)*
from = (from|in|based (solely|only)? (on|upon)|by|with|given|using|within|according to|out of
    |anywhere in|to) <source>
    |here|to me|in it|from (it|this|that)|anywhere
thing = (the|an|a|any|that|this|such|my|your|these|its|correct|right|exact|precise|definite
    |definitive|specific|reliable|certain|confident|proper|accurate|true|actual|final|good|clear)*
    (answer|answers|question|questions|information|info|detail|details|topic|subject|matter|query
    |one|it|this|that|these|those|fact|facts|anything)
    ((to|of|for|about) (the|this|that|your|it)* question?)?
news = (information|info|context|data|details|detail|mention|indication|clue|clues|hint|answer
    |evidence|knowledge|reference|references)
surely = for (sure|certain)
    |with (any|full|complete|absolute|enough|sufficient|total|real|high|100 percent)*
    (certainty|confidence|accuracy|precision)
    |at (this|the) (time|moment|point)|right now|either|anymore|sorry|though|because …
sure_of = ((<about>|to)* <thing>|<about>? <wh> …?|(about|of|on|regarding|as to) …|enough (to …)?
    |to (answer|say|tell|respond) …?|<from>|<surely>)*
object = ((<about>|to)* <thing>|<about>? <wh> …?|if …|(about|of|on|regarding|as to) …
    |enough (to|<about>) …|<from>|<surely>
    |(the|his|her|its|their|any|this|that|a|an|these|your|much|anything|anyone) …)*

verb = answer|determine|say|tell|know|decide|identify|confirm|verify|ascertain|conclude|guess|recall
    |remember|respond|infer|deduce|establish|judge|choose|pick|find|locate|see|provide|give|offer
    |be (sure|certain|confident)|(figure|work) (it|this|that)? out|speculate|come up with|state
    |make a (guess|determination)|specify
found = determined|answered|known|found|inferred|established|said|identified|verified|deduced
    |concluded|ascertained|decided|derived|told|confirmed|given|provided
told = mentioned|stated|specified|given|provided|available|found|included|indicated|discussed
    |answered|described|present|disclosed|covered|clear|known|listed|named|said|told|explained
    |revealed|addressed|certain|answerable|supplied|contained|shown|determinable
    |deducible|inferable
unknown = unknown|unclear|undetermined|unanswerable|unspecified|unstated|indeterminate|undisclosed
    |unavailable|uncertain|indeterminable|unsure|not (known|clear|certain)
mentions = mention|say|state|specify|tell|give|provide|contain|include|indicate|answer|discuss
    |describe|explain|reveal|offer|have|make|show|address|cover|list|name|clarify|identify|supply
    |disclose|refer|talk|speak|allow|report|note|suggest|support

speaker = <i>? <adverbs> (do|did|would|could|will|can) not <adverbs> (know|remember|recall) <object>
    |<i>? am? <adverbs> not <adverbs> (that|(more than)? # percent)?
    (sure|certain|confident|aware|positive|knowledgeable) <sure_of>
    |<i>? am? (less than|under|below|only|not (more|over|above)? than?) # percent
    (sure|certain|confident) <sure_of>
    |my confidence (in …)? is (too|very)? (low|below|less|lower|under|not (above|more|higher)) …?
    |<i>? am? <adverbs> (unsure|uncertain|clueless|unaware|not familiar with …) <sure_of>
    |<i>? <adverbs> (can|could|will|would|am|are|was) <adverbs> not be? <adverbs> (able to)?
    <adverbs> <verb> <object>
    |<i>? (am|are|was)? <adverbs> (not able|unable|not in a position) to <adverbs> <verb> <object>
    |(<i> <adverbs> (have|had|got))? <adverbs> (no|not the|zero)
    (specific|reliable|real|more|such|relevant|further|slightest|prior|good|exact|earthly)*
    (idea|clue|information|info|knowledge|answer|data|details|recollection|memory|way of knowing
    |way to (know|tell|answer|determine)) <object>
    |<i> <adverbs> (do|did) not <adverbs> (possess|have) (any|enough|sufficient|that|the|this|an|a
    |more|adequate|specific|reliable|relevant|necessary|required|such|clear|definite|good)*
    (access|idea|clue|record|memory|it|confidence|certainty|<news>) (required|needed|available)?
    (to …)? <object>
    |<i>? lack (the|enough|sufficient|any|necessary|specific)* <news> (to …)? <object>
    |<i>? (have|could) not (found|find) <object>
    |(idk|dunno) (<about>|to)? <thing>? <surely>? <from>?
    |<i> dunno <object>
    |<i> do not (think|believe) <i> (know|can (say|tell|answer)) <object>
    |<i> (would|will|do)? (need|require) (more|additional|further) <news> …?
    |beats me|who knows|no answer|n a|i give up|no way (to|of) (know|knowing|tell|telling)
    |your guess is as good as mine
    |<i>? (will|must|would|choose to|prefer to|have to|need to|am going to|shall|should)? abstain
    (from …)?
    |<i> will? pass
    |<i>? (would (rather|prefer)|prefer|will|had better|do) to? not (want to)?
    (answer|guess|speculate|say) <object>

text_lacks = (there <is>)? <adverbs> (not|no) nearly? (enough|sufficient|adequate|any)
    (specific|relevant)? <news> …?
    |(there <is>)? (insufficient|inadequate|too little|missing) <news> …?
    |(there <is>)? no (specific|relevant|further|such|direct|explicit|clear|other)*
    (information|info|mention|indication|details|data|answer|clue|context|reference)
    ((in|about|of|on|regarding|to|that|available|given|provided|found|as to|<is>) …|available|given
    |provided|found|possible|whatsoever)*
    |(the|this|that|such|relevant|necessary|requested)* <news> (<from>|given|provided|needed …)?
    <is>? (not (enough|sufficient|available|provided|given|found|included|there|present)
    |insufficient|unavailable|missing|inadequate|lacking) (<from>|to …|for …)*
    |<source> (does|do|did) not <adverbs> (seem to)? <mentions> …?
    |(it|this|that|which) (does|did) not <adverbs> (say|mention|state|specify|tell|indicate) …?
    |<source> (fails|failed|omits|neglects) to? …
    |<source> (gives|provides|contains|has|offers|makes|includes|gave|provided|lacks)
    (no|any|enough|sufficient|specific|the)* <news> …?
    |<source> (is|are) <adverbs> (silent|unclear|not clear|vague|not specific|ambiguous|insufficient
    |not (enough|sufficient)) …?
    |nothing <from> (says|mentions|tells|indicates|states|suggests|specifies|answers) …?
    |<source> (never|nowhere) (mentions|says|states|specifies|tells|gives|reveals|explains) …?

passive = (<thing>|there|which)? <is> <adverbs> (not|nowhere) (to be found)? <from>
    |(<thing>|there|which)? <is>? <adverbs> (not|never|nowhere) been? <adverbs> <told> <adverbs>
    (<from>|because …)*
    |… <is> <adverbs> (not|never|nowhere) <adverbs> (<told> <from>|mentioned|specified|stated)
    |… <is> <adverbs> <unknown> <from>
    |(<thing>|there|which)? <adverbs> (can|could) not <adverbs> be <adverbs> <found> <object>
    |… (can|could) not <adverbs> be <adverbs> <found> <from>
    |(<thing>|there|which)? (<is>|would be)? <adverbs>
    (not (possible|easy)|impossible|hard|difficult|tough) (for (me|us|anyone))? to <adverbs> <verb>
    <object>
    |(<thing>|there|which)? <is>? <adverbs> <unknown> (<from> (<wh> …)?|at (this|the) (time|moment
    |point))?

links = but|so|and|therefore|thus|hence|then|because|since|as|however|also|which means|meaning|that
    |or|consequently|in conclusion|i mean|it means
lead_in = ((the|my|our|your)? (final|short|best|honest|correct|only)* (answer|response|reply|output
    |result) (to (this|the|that|your) question)? (is|would be|should be|will be)? (that|simply)?)?
    (<i> (am|was)? (so|very)? (sorry|afraid) (but|that|to say)*|sorry but?)?
    (<i> (must|have to|will|would|should|need to|can only|would have to)? (say|answer|reply|respond
    |go with|choose|admit|guess|think|believe|confess|state) (that|with)?)?
abstains = (<links>* <lead_in> (<speaker>|<text_lacks>|<passive>))+

beside = <links>* (<courtesy>|<frame>|<from>|<wish>)|<links>
courtesy = (<i> (am|are|was))? (very|so|really|truly|deeply|terribly)* (sorry|afraid)
    (about (that|this|it)|for (that|this|the …|any …))?
    |(please accept)? (my|our|sincere)* (apologies|apology) (for …)?
    |<i> (apologize|apologise) (for …)?
    |unfortunately|sadly|regrettably|honestly|frankly|to be (honest|frank|clear)|hmm|hm|well|ok|okay
    |um|uh|ah|oh|thanks|thank you|oops
frame = as (a|an)? (ai|artificial intelligence|large|language|model|assistant|llm|chatbot|based)+
    |(after reading|having read|looking at|considering) <source>
    |(the|my|your|our)? (final|short|correct|best)* (answer|response|reply|output|result|ans) is?
    |boxed|text|json|plaintext|markdown
wish = (please|kindly|could you|can you|would you|if you) (could|can|would|please|have|kindly)*
    (provide|give|share|clarify|specify|rephrase|check|let me know|tell|ask|consult|supply|offer
    |have|need|want|refer|look|see) …?
    |<i> (would|will|do)? (need|require|want) (more|additional|further|the|extra|some) …
    |more (information|context|details|info|data) (is|are|would be) (needed|required|necessary) …?
    |let me know …?|feel free …?|(is there|how|what) … (help|assist) …?

refuses = <links>* <lead_in> <i> (can|could|will|would|am|must)? not? be? <adverbs>
    (able to|unable to|allowed to|comfortable|decline to|refuse to|decline|refuse|have to decline
    |permitted to)?
    (help|helping|assist|comply|fulfil|fulfill|engage|discuss|discussing|continue|share|support
    |participate|generate|create|produce|complete|process|do) you? (in|with|to)?
    (that|this|it|your|such|these|any|the|on)* …?
"""
