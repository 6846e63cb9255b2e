HARNESSES=("lm-eval","inspect")
class ImportPlan: pass
def import_results(p): pass
